import { describe, expect, it } from "vitest"
import { signedRankZ } from "./SignedRank.ts"

describe("the signed-rank test", () => {
  it("adds up the ranks of positive and of negative differences", () => {
    // Ranks 1 to 5 with the signs + - + + +: 13 above 0, of at most 15.
    expect(signedRankZ([10, -20, 30, 40, 50])).toBeCloseTo((13 - 2) / Math.sqrt(1 + 4 + 9 + 16 + 25), 10)
  })

  it("gives equal differences the mean of their ranks, and ignores differences of 0", () => {
    expect(signedRankZ([5, -5, 0, 7, 0])).toBeCloseTo(3 / Math.sqrt(1.5 ** 2 + 1.5 ** 2 + 9), 10)
    expect(signedRankZ([0, 0])).toBe(0)
    expect(signedRankZ([])).toBe(0)
  })
})
