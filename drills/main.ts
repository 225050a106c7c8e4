/**
 * Runs one drill: `npm run drill -- NAME [--option value]`. Exit code 1 if a promise is broken, 2 if the drill cannot run.
 */
import { existsSync, globSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import type { Drill, DrillOptions } from "./kit/Drill.ts"

const refuse = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

/** What a function answers; undefined if it throws. */
const attempt = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Reads the options of a drill, by the types of their default values. */
const readOptions = (defaults: DrillOptions, args: ReadonlyArray<string>): DrillOptions => {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === "boolean"
        ? { type: "boolean" as const, default: value }
        : { type: "string" as const, default: `${value}` }
    ])
  )
  const shown = Object.entries(defaults).map(([name, value]) => `--${name} ${value}`)
  const { values } =
    attempt(() => parseArgs({ args: [...args], allowNegative: true, options })) ??
    refuse(`The options of this drill, with their defaults: ${shown.join(", ") || "none"}.`)
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === "number" ? wholeNumber(name, `${values[name]}`) : (values[name] ?? value)
    ])
  ) as DrillOptions
}

const wholeNumber = (name: string, text: string): number =>
  /^\d+$/.test(text) ? Number(text) : refuse(`--${name}: expected a whole number`)

const start_ms = performance.now()
const progress = (message: string): void => {
  const passed_s = Math.round((performance.now() - start_ms) / 1_000)
  process.stderr.write(`${Math.floor(passed_s / 60)}:${String(passed_s % 60).padStart(2, "0")} ${message}\n`)
}

const [name = "", ...args] = process.argv.slice(2)
const file = join(import.meta.dirname, name, "drill.ts")
if (!/^[a-z]+$/.test(name) || !existsSync(file)) {
  const names = globSync("*/drill.ts", { cwd: import.meta.dirname }).map((path) => dirname(path))
  refuse(`Name a drill: npm run drill -- NAME. The drills are ${names.sort().join(", ")}.`)
}
const { drill } = (await import(file)) as { readonly drill: Drill<DrillOptions> }
const options = readOptions(drill.options, args)
const missing = await drill.missing?.()
if (missing !== undefined) refuse(missing)

const wrong = Object.entries(await drill.run(options, progress)).flatMap(([promise, found]) =>
  found.map((one) => `${promise}: ${one}`)
)
for (const one of wrong) progress(one)
// Servers that still run end with this process.
process.exit(wrong.length === 0 ? 0 : 1)
