/** Conformance suite of the port `UsageLog`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import {
  trafficSlot_ms,
  trafficSlots,
  type UsageEvent,
  type UsageGrouping,
  UsageLog,
  type UsageQuery
} from "@postcode/gateway/usage/UsageLog"
import { Effect, type Layer } from "effect"
import { failsWith } from "../fixtures/Failures.ts"
import { newUsageEvent, storedOrganization, unique } from "../fixtures/Records.ts"
import type { SuiteOptions } from "../fixtures/SuiteOptions.ts"

/** Registers the tests of the port `UsageLog`. */
export const usageLogSuite = <E>(
  name: string,
  adapter: Layer.Layer<UsageLog | Organizations, E>,
  { settle = Effect.void }: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`UsageLog ${name}`, (it) => {
    addDayTests(it, settle)
    addGroupingTests(it, settle)
    addTrafficTests(it, settle)
    addCountingTests(it, settle)
  })

type It = Vitest.MethodsNonLive<UsageLog | Organizations>
type Settle = Effect.Effect<void>

const addDayTests = (it: It, settle: Settle): void => {
  it.effect("requests and credits are summed by day, then operation, ascending", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      usage.record(newEvent(id, { at_ms: on("2026-02-01"), operation: "lookup", credits: 3 }))
      usage.record(newEvent(id, { at_ms: on("2026-01-31"), operation: "reverse", credits: 0 }))
      usage.record(newEvent(id, { at_ms: on("2026-02-01"), operation: "autocomplete", credits: 0 }))
      usage.record(newEvent(id, { at_ms: on("2026-01-31"), operation: "areas", credits: 0 }))
      usage.record(newEvent(id, { at_ms: on("2026-01-31"), operation: "lookup", credits: 2 }))
      usage.record(newEvent(id, { at_ms: on("2026-02-01"), operation: "lookup", credits: 1 }))
      yield* settle
      assert.deepStrictEqual(yield* usage.daily(january(id)), [
        { date: "2026-01-31", operation: "areas", requests: 1, credits: 0 },
        { date: "2026-01-31", operation: "lookup", requests: 1, credits: 2 },
        { date: "2026-01-31", operation: "reverse", requests: 1, credits: 0 },
        { date: "2026-02-01", operation: "autocomplete", requests: 1, credits: 0 },
        { date: "2026-02-01", operation: "lookup", requests: 2, credits: 4 }
      ])
    })
  )

  it.effect("first and last day are both included", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      for (const date of ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"]) {
        usage.record(newEvent(id, { at_ms: on(date) }))
      }
      yield* settle
      const days = (from: string, to: string) =>
        Effect.map(usage.daily({ ...january(id), from, to }), (rows) => rows.map(({ date }) => date))
      assert.deepStrictEqual(yield* days("2026-01-01", "2026-01-02"), ["2026-01-01", "2026-01-02"])
      assert.deepStrictEqual(yield* days("2026-01-03", "2026-01-03"), ["2026-01-03"])
      assert.deepStrictEqual(yield* days("2026-01-02", "2026-01-01"), [])
      assert.deepStrictEqual(yield* days("2026-03-01", "2026-04-01"), [])
    })
  )

  it.effect("organizations and environments are counted separately", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      const { id: other } = yield* storedOrganization()
      usage.record(newEvent(id, { environment: "test", credits: 1 }))
      usage.record(newEvent(id, { environment: "live", credits: 10 }))
      usage.record(newEvent(other, { environment: "test", credits: 100 }))
      yield* settle
      const credits = (organization_id: string, environment: "test" | "live") =>
        Effect.map(usage.daily({ ...january(organization_id), environment }), (rows) => rows.map((row) => row.credits))
      assert.deepStrictEqual(yield* credits(id, "test"), [1])
      assert.deepStrictEqual(yield* credits(id, "live"), [10])
      assert.deepStrictEqual(yield* credits(other, "test"), [100])
      assert.deepStrictEqual(yield* credits(other, "live"), [])
    })
  )
}

const addGroupingTests = (it: It, settle: Settle): void => {
  it.effect("requests are also grouped by level, key or status, null first", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      const [a, b] = [{ key_id: `${id} a` }, { key_id: `${id} b` }]
      usage.record(newEvent(id, { ...b, level: 4, status: 200, credits: 3 }))
      usage.record(newEvent(id, { ...a, level: 2, status: 200, credits: 1 }))
      usage.record(newEvent(id, { ...a, level: null, status: 402, credits: 0 }))
      usage.record(newEvent(id, { ...a, level: 2, status: 200, credits: 1, operation: "batch" }))
      usage.record(newEvent(id, { ...a, level: null, status: 200, credits: 0, at_ms: on("2026-01-30") }))
      yield* settle
      const by = (by: UsageGrouping) => usage.daily({ ...january(id), by })
      const [before, date] = ["2026-01-30", "2026-01-31"]
      assert.deepStrictEqual(yield* by("level"), [
        { date: before, level: null, requests: 1, credits: 0 },
        { date, level: null, requests: 1, credits: 0 },
        { date, level: 2, requests: 2, credits: 2 },
        { date, level: 4, requests: 1, credits: 3 }
      ])
      assert.deepStrictEqual(yield* by("key"), [
        { date: before, ...a, requests: 1, credits: 0 },
        { date, ...a, requests: 3, credits: 2 },
        { date, ...b, requests: 1, credits: 3 }
      ])
      assert.deepStrictEqual(yield* by("status"), [
        { date: before, status: 200, requests: 1, credits: 0 },
        { date, status: 200, requests: 3, credits: 5 },
        { date, status: 402, requests: 1, credits: 0 }
      ])
      assert.deepStrictEqual(yield* by("operation"), [
        { date: before, operation: "lookup", requests: 1, credits: 0 },
        { date, operation: "batch", requests: 1, credits: 1 },
        { date, operation: "lookup", requests: 3, credits: 4 }
      ])
    })
  )

  it.effect("a report of one key contains only its requests, in any grouping", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      usage.record(newEvent(id, { key_id: `${id} a`, level: 2, credits: 1 }))
      usage.record(newEvent(id, { key_id: `${id} b`, level: 2, credits: 10 }))
      yield* settle
      const of = (key_id: string, by: UsageGrouping) => usage.daily({ ...january(id), by, key_id })
      const used = { date: "2026-01-31", requests: 1, credits: 10 }
      assert.deepStrictEqual(yield* of(`${id} b`, "operation"), [{ ...used, operation: "lookup" }])
      assert.deepStrictEqual(yield* of(`${id} b`, "level"), [{ ...used, level: 2 }])
      assert.deepStrictEqual(yield* of(`${id} b`, "key"), [{ ...used, key_id: `${id} b` }])
      assert.deepStrictEqual(yield* of(`${id} b`, "status"), [{ ...used, status: 200 }])
      assert.deepStrictEqual(yield* of(`${id} c`, "operation"), [])
    })
  )

  it.effect("a report has at most the maximum number of rows, the first ones", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      for (const key of ["c", "a", "b"]) usage.record(newEvent(id, { key_id: `${id} ${key}` }))
      yield* settle
      assert.deepStrictEqual(yield* usage.daily({ ...january(id), by: "key", limit: 2 }), [
        { date: "2026-01-31", key_id: `${id} a`, requests: 1, credits: 1 },
        { date: "2026-01-31", key_id: `${id} b`, requests: 1, credits: 1 }
      ])
    })
  )
}

const addTrafficTests = (it: It, settle: Settle): void => {
  it.effect("a key's traffic is the sum since the start of a time slot", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id: organization_id } = yield* storedOrganization()
      const [now_ms, key] = [Date.UTC(2026, 0, 31, 12), { organization_id, key_id: `${organization_id} a` }]
      const record = (at_ms: number, fields: Partial<UsageEvent> = {}) =>
        usage.record(newEvent(organization_id, { key_id: key.key_id, at_ms, ...fields }))
      record(now_ms + 1, { credits: 3 })
      record(now_ms - trafficSlot_ms, { status: 399, operation: "batch" })
      record(now_ms - trafficSlot_ms - 1, { status: 400, credits: 0 })
      yield* settle
      record(now_ms - trafficSlot_ms - 1, { status: 503, credits: 0, level: 2 })
      record(now_ms + 2, { key_id: `${organization_id} b`, credits: 50 })
      yield* settle
      const since = (pieces: number) => usage.traffic(key, now_ms - pieces * trafficSlot_ms)
      assert.deepStrictEqual(yield* since(-1), { requests: 0, credits: 0, refused: 0 })
      assert.deepStrictEqual(yield* since(0), { requests: 1, credits: 3, refused: 0 })
      assert.deepStrictEqual(yield* since(1), { requests: 2, credits: 4, refused: 0 })
      assert.deepStrictEqual(yield* since(2), { requests: 4, credits: 4, refused: 2 })
      const other = { organization_id: unique("org"), key_id: key.key_id }
      assert.deepStrictEqual(yield* usage.traffic(other, 0), { requests: 0, credits: 0, refused: 0 })
    })
  )

  it.effect("traffic is kept for the number of slots of the port, while the key is used continuously", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id: organization_id } = yield* storedOrganization()
      const [first_ms, key_id] = [Date.UTC(2026, 0, 31, 12), `${organization_id} a`]
      for (let piece = 0; piece < 2 * trafficSlots; piece++) {
        usage.record(newEvent(organization_id, { key_id, at_ms: first_ms + piece * trafficSlot_ms }))
        usage.record(newEvent(organization_id, { key_id, at_ms: first_ms + piece * trafficSlot_ms, status: 429 }))
        yield* settle
      }
      const since_ms = first_ms + trafficSlots * trafficSlot_ms
      assert.deepStrictEqual(yield* usage.traffic({ organization_id, key_id }, since_ms), {
        requests: 2 * trafficSlots,
        credits: 2 * trafficSlots,
        refused: trafficSlots
      })
    })
  )
}

const addCountingTests = (it: It, settle: Settle): void => {
  it.effect("all of 5,000 requests are counted", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const { id } = yield* storedOrganization()
      for (let i = 0; i < 5_000; i++) usage.record(newEvent(id, { credits: i % 4 }))
      yield* settle
      assert.deepStrictEqual(yield* usage.daily(january(id)), [
        { date: "2026-01-31", operation: "lookup", requests: 5_000, credits: 7_500 }
      ])
    })
  )

  it.effect("an unknown organization has no usage, and its requests are not counted", () =>
    Effect.gen(function* () {
      const usage = yield* UsageLog
      const id = unique("org")
      usage.record(newEvent(id))
      yield* settle
      yield* failsWith(usage.daily(january(id)), "NotFound")
      yield* storedOrganization({}, { id })
      assert.deepStrictEqual(yield* usage.daily(january(id)), [])
    })
  )
}

/** For an organization's key of the given environment, at the end of a day. */
const newEvent = (organization_id: string, fields: Partial<UsageEvent> = {}): UsageEvent =>
  newUsageEvent(organization_id, {
    key_id: `${organization_id} ${fields.environment ?? "test"}`,
    at_ms: on("2026-01-31"),
    ...fields
  })

/** The last millisecond of a day. */
const on = (date: string): number => Date.parse(`${date}T23:59:59.999Z`)

const january = (organization_id: string): UsageQuery => ({
  organization_id,
  environment: "test",
  from: "2026-01-01",
  to: "2026-02-01",
  by: "operation",
  key_id: undefined,
  limit: 1_000
})
