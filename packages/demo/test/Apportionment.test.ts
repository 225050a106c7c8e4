import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apportion } from "../src/Apportionment.ts"

const sum = (shares: ArrayLike<number>) => Array.from(shares).reduce((total, share) => total + share, 0)
const unbounded = (weights: ReadonlyArray<number>) => weights.map(() => 1e9)

describe("apportionment", () => {
  it("shares in proportion to the weights, above a floor of one", () => {
    expect([...apportion(13, [1, 2, 2], unbounded([1, 2, 2]))]).toEqual([3, 5, 5])
  })

  it("what is left goes to the largest remainders, ties to the smaller index", () => {
    expect([...apportion(5, [1, 1, 1], unbounded([1, 1, 1]))]).toEqual([2, 2, 1])
  })

  it("if there are too few for all, the heaviest get one each", () => {
    expect([...apportion(2, [1, 5, 3, 5], unbounded([1, 5, 3, 5]))]).toEqual([0, 1, 0, 1])
  })

  it("no share exceeds its cap, and the others share the rest", () => {
    expect([...apportion(10, [1, 1, 8], [9, 9, 4])]).toEqual([3, 3, 4])
  })

  it("caps that are too small in total are refused", () => {
    expect(() => apportion(10, [1, 1], [4, 5])).toThrow(RangeError)
  })

  it("for any weights and caps that suffice: the sum is exact, and all lie from one to their cap", () => {
    const rows = fc.array(fc.tuple(fc.double({ min: 0.1, max: 20, noNaN: true }), fc.integer({ min: 1, max: 500 })), {
      minLength: 1,
      maxLength: 40
    })
    fc.assert(
      fc.property(rows, fc.double({ min: 0, max: 1, noNaN: true }), (pairs, part) => {
        const caps = pairs.map(([, cap]) => cap)
        const total = pairs.length + Math.floor((sum(caps) - pairs.length) * part)
        const shares = apportion(
          total,
          pairs.map(([weight]) => weight),
          caps
        )
        expect(sum(shares)).toBe(total)
        shares.forEach((share, index) => {
          expect(share).toBeGreaterThanOrEqual(1)
          expect(share).toBeLessThanOrEqual(caps[index] ?? 0)
        })
      }),
      { seed: 7, numRuns: 300 }
    )
  })
})
