/** Usage without its screen: days, scales, what is stacked in a chart, and the words for statuses. */
import { errorTable } from "@postcode/http"
import { describe, expect, it } from "vitest"
import { statusMeanings } from "../../src/kit/data/statusMeanings.ts"
import { daysOf, isPeriod, lastDays, periodBefore } from "../../src/screens/usage/period.ts"
import { ticksTo } from "../../src/screens/usage/scale.ts"
import { grouped, mostUsed, seriesOf } from "../../src/screens/usage/series.ts"

it("each status of the service has a description", () => {
  for (const [status] of Object.values(errorTable)) expect(Object.keys(statusMeanings)).toContain(String(status))
})

describe("days", () => {
  it("are whole days in UTC that end today", () => {
    const period = lastDays(30, Date.parse("2026-03-15T23:59:59Z"))
    expect(period).toEqual({ from: "2026-02-14", to: "2026-03-15" })
    expect(daysOf(period)).toHaveLength(30)
    expect(periodBefore(period)).toEqual({ from: "2026-01-15", to: "2026-02-13" })
    expect(daysOf(lastDays(1, 0))).toEqual(["1970-01-01"])
  })

  it("are refused in the wrong order, over more than a year, or if one is invalid", () => {
    expect(isPeriod({ from: "2026-01-02", to: "2026-01-01" })).toBe(false)
    expect(isPeriod({ from: "0002-01-01", to: "2026-01-01" })).toBe(false)
    expect(isPeriod({ from: "soon", to: "2026-01-01" })).toBe(false)
    expect(isPeriod({ from: "2026-01-01", to: "2026-12-31" })).toBe(true)
  })
})

describe("a chart", () => {
  it("has a scale of round numbers that holds the largest one", () => {
    expect(ticksTo(730)).toEqual([0, 200, 400, 600, 800])
    for (const maximum of [0, 1, 2, 3, 7, 9, 10, 11, 99, 100, 101, 12_345, 999_999_999]) {
      const ticks = ticksTo(maximum)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(1, maximum))
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.every(Number.isSafeInteger)).toBe(true)
    }
  })

  it("stacks the largest operations, and all others as one", () => {
    const usage = [5, 9, 1, 7, 3].flatMap((requests, i) => [
      { date: "2026-01-01", operation: `op${i}`, requests, credits: 0 },
      { date: "2026-01-02", operation: `op${i}`, requests: 1, credits: 0 }
    ])
    const series = seriesOf(usage, ["2026-01-01", "2026-01-02"], "requests")
    expect(series.map(({ name }) => name)).toEqual(["op1", "op3", "op0", "op4", "op2"])
    const shown = grouped(series, mostUsed(usage, 3))
    expect(shown.map(({ name, total, values }) => [name, total, values])).toEqual([
      ["op1", 10, [9, 1]],
      ["op3", 8, [7, 1]],
      ["others", 12, [9, 3]]
    ])
    expect(grouped(series, mostUsed(usage, 5))).toEqual(series)
    expect(seriesOf(usage, ["2026-01-01"], "credits")).toEqual([])
  })

  it("shows the most expensive and the most frequent operations separately", () => {
    const usage = [
      { date: "2026-01-01", operation: "many", requests: 90, credits: 0 },
      { date: "2026-01-01", operation: "some", requests: 9, credits: 1 },
      { date: "2026-01-01", operation: "dear", requests: 1, credits: 99 }
    ]
    expect(mostUsed(usage, 3)).toEqual(["dear", "many", "some"])
    expect(mostUsed(usage, 2)).toEqual(["dear", "others"])
    expect(grouped(seriesOf(usage, ["2026-01-01"], "credits"), ["many", "others"]).map(({ total }) => total)).toEqual([
      100
    ])
  })
})
