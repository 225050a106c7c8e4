/**
 * Editions of a demonstration directory. Each import keeps the changes since the one before, and retires one more unit.
 * Changes are made of one half of the units, and clients pay for units of the other half, whose prices never change.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DemoSample, type Unit } from "../kit/DemoSample.ts"
import { runCommand } from "../living/LivingScene.ts"

export const demo = { units: 20_000, seed: 1 }

/** The units that changes are made of. */
export const changing = new DemoSample(demo, demo.units / 2)

export class Editions {
  /** Postcodes of units that never change and of which everything is known. */
  readonly postcodes: ReadonlyArray<string>
  /** What the editions retired. */
  readonly retired: Array<Unit> = []
  private readonly path: string
  private readonly env: Readonly<Record<string, string>>
  private readonly retirable: ReadonlyArray<Unit>

  constructor(path: string, env: Readonly<Record<string, string>>) {
    this.path = path
    this.env = env
    const all = new DemoSample(demo, demo.units)
    const known = all.places
      .filter(({ active, postcode }) => active && changing.unit(postcode) === undefined)
      .map(({ postcode }) => all.unit(postcode) as Unit)
      .filter(({ attributes }) => Object.keys(attributes).length === 6)
    this.postcodes = known.slice(0, 500).map(({ postcode }) => postcode)
    this.retirable = known.slice(500)
  }

  async write(): Promise<void> {
    const size = ["--units", `${demo.units}`, "--seed", `${demo.seed}`]
    await runCommand(["demo", this.path, ...size], this.env)
  }

  /** Imports the next edition, and returns its name. An import that fails is run again, as an operator would. */
  async importNext(): Promise<string> {
    const unit = this.retirable[this.retired.length] as Unit
    this.retired.push({ ...unit, active: false })
    const file = join(this.path, "units.csv")
    const row = new RegExp(`^(${unit.postcode},[^,]+,[^,]+,)active,`, "m")
    await writeFile(file, (await readFile(file, "utf8")).replace(row, "$1retired,"))
    const version = `soak-${this.retired.length}`
    const args = ["import", this.path, "--data-version", version, "--keep-changes"]
    for (let attempt = 1; ; attempt++) {
      try {
        await runCommand(args, this.env)
        return version
      } catch (error) {
        if (attempt === maxAttempts) throw error
      }
    }
  }
}

const maxAttempts = 3
