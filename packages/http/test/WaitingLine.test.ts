import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type InLine, WaitingLine } from "../src/WaitingLine.ts"

setFlagsFromString("--expose-gc")
/** Collects what is new: whatever was there in the last two collections stays, gone or not. */
const collect = runInNewContext("gc") as (options: { readonly type: "minor" }) => void

/** As much as a request takes. */
const bytesOfOne = 4_000

class Someone implements InLine<Someone> {
  line: WaitingLine<Someone> | undefined
  before: Someone | undefined
  behind: Someone | undefined
  readonly number: number
  readonly bulk = new Array(bytesOfOne / 8).fill(undefined)
  constructor(number: number) {
    this.number = number
  }
}

const leaving = fc.record({ leaves: fc.constantFrom("first", "last", "any"), at: fc.nat() })
const steps = fc.array(fc.oneof(fc.constant("comes" as const), leaving), { maxLength: 200 })

describe("a waiting line", () => {
  it("knows who came first and last of those that are there, whoever comes and goes", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const line = new WaitingLine<Someone>()
        const expected: Array<Someone> = []
        for (const [number, step] of steps.entries()) {
          if (step === "comes") {
            const one = new Someone(number)
            line.add(one)
            expected.push(one)
          } else if (expected.length > 0) {
            const ends = { first: 0, last: expected.length - 1, any: step.at % expected.length }
            const [gone] = expected.splice(ends[step.leaves], 1)
            line.delete(gone as Someone)
          }
          expect([line.size, line.first(), line.last()]).toEqual([expected.length, expected[0], expected.at(-1)])
        }
      })
    )
  })

  it("lets one go that stands in another line, or in none, as if nothing were", () => {
    const [line, other] = [new WaitingLine<Someone>(), new WaitingLine<Someone>()]
    const [one, two] = [new Someone(1), new Someone(2)]
    line.add(one)
    other.add(two)
    other.delete(one)
    line.delete(two)
    line.delete(new Someone(3))
    expect([line.size, line.first(), other.size, other.first()]).toEqual([1, one, 1, two])
    line.delete(one)
    line.delete(one)
    other.delete(two)
    line.add(two)
    expect([line.size, line.first(), line.last()]).toEqual([1, two, two])
  })

  it("holds nobody who has gone, even as long as the collector looks at new things alone", () => {
    const line = new WaitingLine<Someone>()
    const come = (count: number) => {
      for (let i = 0; i < count; i++) line.add(new Someone(i))
    }
    come(1_000)
    collect({ type: "minor" })
    collect({ type: "minor" })
    const before_bytes = process.memoryUsage().heapUsed
    for (let round = 0; round < 500; round++) {
      come(250)
      collect({ type: "minor" })
      while (line.size > 1_000) line.delete(line.last() as Someone)
    }
    collect({ type: "minor" })
    expect(process.memoryUsage().heapUsed - before_bytes).toBeLessThan(1_000 * bytesOfOne)
  })
})
