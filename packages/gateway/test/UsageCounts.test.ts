import { dateOf, dayOf, UsageCounts } from "@postcode/gateway/usage/UsageCounts"
import { trafficSlot_ms, trafficSlots, type UsageEvent } from "@postcode/gateway/usage/UsageLog"
import { describe, expect, it } from "vitest"

const midnight_ms = Date.parse("2026-02-01T00:00:00.000Z")

const newEvent = (fields: Partial<UsageEvent> = {}): UsageEvent => ({
  organization_id: "org",
  environment: "test",
  key_id: "key",
  operation: "lookup",
  level: 2,
  status: 200,
  credits: 3,
  at_ms: midnight_ms,
  ...fields
})

const differing: ReadonlyArray<readonly [string, Partial<UsageEvent>]> = [
  ["operation", { operation: "search" }],
  ["level", { level: null }],
  ["status", { status: 404 }],
  ["day", { at_ms: midnight_ms - 1 }]
]

describe("UsageCounts", () => {
  it("counts equal requests together, with any credits", () => {
    const counts = new UsageCounts()
    expect(counts.add(newEvent())).toBe(1)
    expect(counts.add(newEvent({ credits: 4, at_ms: midnight_ms + 86_399_999 }))).toBe(0)
    const [count, ...others] = counts.days
    expect(others).toEqual([])
    expect(count).toEqual({
      day: dayOf(midnight_ms),
      operation: "lookup",
      level: 2,
      status: 200,
      requests: 2,
      credits: 7
    })
    expect(dateOf(dayOf(midnight_ms))).toBe("2026-02-01")
  })

  it.each(differing)("counts requests separately that differ in %s", (_, fields) => {
    const counts = new UsageCounts()
    counts.add(newEvent())
    expect(counts.has(newEvent(fields))).toBe(false)
    expect(counts.add(newEvent(fields))).toBe(1)
    expect(counts.has(newEvent(fields))).toBe(true)
    expect(counts.days.map(({ requests }) => requests)).toEqual([1, 1])
  })

  it("keeps the time slots of the last hour, and those of a clock that was set back", () => {
    const counts = new UsageCounts()
    for (let piece = 0; piece < 100; piece++) counts.add(newEvent({ at_ms: midnight_ms + piece * trafficSlot_ms }))
    counts.add(newEvent({ at_ms: midnight_ms + 98 * trafficSlot_ms, status: 400 }))
    expect(counts.slots).toHaveLength(trafficSlots)
    expect(counts.slots.slice(-2)).toMatchObject([
      { requests: 2, credits: 6, refused: 1 },
      { requests: 1, credits: 3, refused: 0 }
    ])
  })

  it("counts in an earlier time slot if the clock was set back by hours", () => {
    const counts = new UsageCounts()
    counts.add(newEvent({ at_ms: midnight_ms + 50 * trafficSlot_ms }))
    for (const status of [200, 404]) counts.add(newEvent({ at_ms: midnight_ms + 3 * trafficSlot_ms, status }))
    counts.add(newEvent({ at_ms: midnight_ms + 50 * trafficSlot_ms }))
    expect(counts.slots).toMatchObject([
      { requests: 2, credits: 6, refused: 1 },
      { requests: 2, credits: 6, refused: 0 }
    ])
  })
})
