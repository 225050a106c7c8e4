import { describe, expect, it } from "vitest"
import { clientAddress } from "./clientAddress.ts"
import { trendOf } from "./trend.ts"

describe("bench memory", () => {
  it("computes the slope of a line through samples, and its uncertainty", () => {
    const line = Array.from({ length: 50 }, (_, i) => ({ at_h: i / 100, value: 7 + 3 * i }))
    expect(trendOf(line).slope).toBeCloseTo(300, 9)
    expect(trendOf(line).uncertainty).toBeCloseTo(0, 6)
    // By hand: the mean is (1, 1), Σxy = 1, Σx² = 2, the residues are 1/6, -1/3, 1/6; t for one degree is 12.71.
    const beside = trendOf([0.5, 0.5, 2].map((value, at_h) => ({ at_h, value })))
    expect(beside.slope).toBeCloseTo(0.75, 9)
    expect(beside.uncertainty).toBeCloseTo(12.71 * Math.sqrt((0.25 ** 2 + 0.5 ** 2 + 0.25 ** 2) / 2), 6)
    expect(() => trendOf([])).toThrow("three samples or more, found 0")
  })

  it("makes 40,000 different IPv4 and IPv6 addresses, several in each /64", () => {
    const all = Array.from({ length: 40_000 }, (_, i) => clientAddress(i))
    expect(new Set(all).size).toBe(all.length)
    const networks = new Set(all.filter((one) => one.includes(":")).map((one) => one.split("::")[0]))
    expect(networks.size).toBe(2_500)
  })
})
