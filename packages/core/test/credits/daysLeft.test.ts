import { daysLeft } from "@postcode/core/Prices"
import { describe, expect, it } from "vitest"

const at = (time: string) => Date.parse(`2026-01-${time}Z`)
const spent = (...days: ReadonlyArray<readonly [day: number, credits: number]>) =>
  days.map(([day, credits]) => ({ date: `2026-01-${String(day).padStart(2, "0")}`, credits }))

describe("daysLeft", () => {
  it("divides the balance by the average since the first day on which something was spent", () => {
    expect(daysLeft(100, spent([30, 15], [31, 15]), at("31T12:00"))).toBe(5)
    expect(daysLeft(100, spent([22, 10], [28, 20], [31, 70]), at("31T24:00"))).toBe(10)
  })

  it("counts the part of today that is over", () => {
    const days = spent([30, 24], [31, 6])
    expect(daysLeft(96, days, at("31T06:00"))).toBe(4)
    expect(daysLeft(96, days, at("31T24:00"))).toBe(6)
  })

  it("counts the first day as a whole day, also early in the morning", () => {
    expect(daysLeft(100, spent([31, 10]), at("31T00:00:01"))).toBe(10)
    expect(daysLeft(100, spent([31, 10]), at("31T24:00"))).toBe(10)
  })

  it("is rounded down to whole days", () => {
    expect(daysLeft(29, spent([31, 10]), at("31T12:00"))).toBe(2)
    expect(daysLeft(9, spent([31, 10]), at("31T12:00"))).toBe(0)
  })

  it("accepts days in any order, in several parts, and with gaps", () => {
    const parts = spent([31, 1], [30, 0], [29, 2], [31, 2], [29, 1], [1, 0])
    expect(daysLeft(20, parts, at("31T24:00"))).toBe(10)
  })

  it("is 0 for an empty or negative balance", () => {
    expect(daysLeft(0, spent([31, 10]), at("31T12:00"))).toBe(0)
    expect(daysLeft(-5, spent([31, 10]), at("31T12:00"))).toBe(0)
  })

  it("is unknown if nothing was spent", () => {
    expect(daysLeft(100, [], at("31T12:00"))).toBeUndefined()
    expect(daysLeft(0, spent([30, 0], [31, 0]), at("31T12:00"))).toBeUndefined()
  })
})
