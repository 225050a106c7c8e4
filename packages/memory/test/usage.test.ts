import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { inspectKey } from "@postcode/gateway/usage/inspectKey"
import { reportUsage, type UsageRequest } from "@postcode/gateway/usage/reportUsage"
import { type UsageEvent, UsageLog } from "@postcode/gateway/usage/UsageLog"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { atNoon, type Customer, customer, noon, ports } from "./Store.ts"

const day_ms = 86_400_000
const noon_ms = Date.parse(noon)

const eventOf = ({ key, organization }: Customer, fields: Partial<UsageEvent> = {}): UsageEvent => ({
  organization_id: organization.id,
  environment: "test",
  key_id: key.id,
  operation: "lookup.single",
  level: 2,
  status: 200,
  credits: 1,
  at_ms: noon_ms,
  ...fields
})

const requestOf = ({ organization }: Customer, fields: Partial<UsageRequest> = {}): UsageRequest => ({
  organization_id: organization.id,
  environment: "test",
  from: undefined,
  to: undefined,
  by: undefined,
  key_id: undefined,
  ...fields
})

describe("reportUsage", () => {
  it.effect("covers today and the 29 days before, by operation, by default", () =>
    Effect.gen(function* () {
      yield* atNoon
      const one = yield* customer()
      const log = yield* UsageLog
      for (const days of [0, 29, 30]) log.record(eventOf(one, { at_ms: noon_ms - days * day_ms }))
      const rows = yield* (yield* reportUsage)(requestOf(one), tokenManager)
      const used = { operation: "lookup.single", requests: 1, credits: 1 }
      assert.deepStrictEqual(rows, [
        { date: "2026-01-02", ...used },
        { date: "2026-01-31", ...used }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("of more than 50,000 rows is refused, and the message names the remedy", () =>
    Effect.gen(function* () {
      yield* atNoon
      const one = yield* customer()
      const log = yield* UsageLog
      const report = yield* reportUsage
      const byKey = report(requestOf(one, { by: "key" }), tokenManager)
      for (let i = 1; i <= 50_000; i++) log.record(eventOf(one, { key_id: `key_${i}` }))
      assert.lengthOf(yield* byKey, 50_000)
      log.record(eventOf(one))
      const refusal = yield* failsWith(byKey, "InvalidParameter")
      assert.include(refusal.message, "50000 rows: request fewer days, or one key")
      assert.lengthOf(yield* report(requestOf(one), tokenManager), 1)
    }).pipe(Effect.provide(ports))
  )
})

describe("inspectKey", () => {
  it.effect("counts the current slot of five minutes and the twelve before, and returns their start", () =>
    Effect.gen(function* () {
      const one = yield* customer()
      const log = yield* UsageLog
      const { traffic } = yield* inspectKey
      for (const minutes of [59, 60, 64, 65, 120, 124]) {
        log.record(eventOf(one, { at_ms: Date.parse("2026-01-31T10:00:00.000Z") + minutes * 60_000 }))
      }
      const at = (time: string) =>
        Effect.andThen(TestClock.setTime(Date.parse(`2026-01-31T${time}Z`)), traffic(one.key.id, tokenManager))
      const used = (since: string, requests: number) => ({ since, requests, credits: requests, refused: 0 })
      assert.deepStrictEqual(yield* at("12:00:00.000"), used("2026-01-31T11:00:00.000Z", 5))
      assert.deepStrictEqual(yield* at("12:04:59.999"), used("2026-01-31T11:00:00.000Z", 5))
      assert.deepStrictEqual(yield* at("12:05:00.000"), used("2026-01-31T11:05:00.000Z", 3))
      assert.deepStrictEqual(yield* at("15:00:00.000"), used("2026-01-31T14:00:00.000Z", 0))
    }).pipe(Effect.provide(ports))
  )
})

describe("usage in memory", () => {
  it.effect("is kept for 400 days before a key's latest request", () =>
    Effect.gen(function* () {
      const one = yield* customer()
      const { daily, record } = yield* UsageLog
      const dates = Effect.map(
        daily({ ...requestOf(one), by: "key", from: "2020-01-01", to: "2030-01-01", limit: 9 }),
        (rows) => rows.map(({ date }) => date)
      )
      for (const days of [401, 400]) record(eventOf(one, { at_ms: noon_ms - days * day_ms }))
      assert.deepStrictEqual(yield* dates, ["2024-12-26", "2024-12-27"])
      record(eventOf(one))
      assert.deepStrictEqual(yield* dates, ["2024-12-27", "2026-01-31"])
    }).pipe(Effect.provide(ports))
  )
})
