/** The measurements of all rounds, with and without load control. */
import { compared, type Figure } from "../Bench.ts"
import { median } from "../measure.ts"

export type SideName = "bare" | "controlled"

interface Measured extends Record<SideName, Array<number>> {
  readonly unit: string
  readonly better: "less" | "more"
}

export class Series {
  private readonly byName = new Map<string, Measured>()

  add(name: string, unit: string, better: "less" | "more", side: SideName, value: number): void {
    const measured = this.byName.get(name) ?? { unit, better, bare: [], controlled: [] }
    measured[side].push(value)
    this.byName.set(name, measured)
  }

  /** The medians of the rounds, compared with the service without load control if it was measured. */
  *figures(): Generator<Figure> {
    for (const [figure, { bare, better, controlled, unit }] of this.byName) {
      const [peer, peer_value] = bare.length === 0 ? [null, null] : ["no load control", median(bare)]
      yield compared(better, { bench: "overload", figure, value: median(controlled), unit, peer, peer_value })
    }
  }
}
