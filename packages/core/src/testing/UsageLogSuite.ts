/** What every adapter of the port `UsageLog` must do. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Organizations } from "../ports/Organizations.ts"
import { type UsageEvent, UsageLog } from "../ports/UsageLog.ts"
import { failsWith } from "./Failures.ts"
import { storedOrganization, unique } from "./Fixtures.ts"
import type { SuiteOptions } from "./SuiteOptions.ts"

export const usageLogSuite = <E>(
  name: string,
  adapter: Layer.Layer<UsageLog | Organizations, E>,
  { settle = Effect.void }: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`UsageLog ${name}`, (it) => {
    it.effect("requests and credits are summed by day, then operation, ascending", () =>
      Effect.gen(function* () {
        const usage = yield* UsageLog
        const { id } = yield* storedOrganization()
        usage.record(newEvent(id, { date: "2026-02-01", operation: "lookup", credits: 3 }))
        usage.record(newEvent(id, { date: "2026-01-31", operation: "reverse", credits: 0 }))
        usage.record(newEvent(id, { date: "2026-02-01", operation: "autocomplete", credits: 0 }))
        usage.record(newEvent(id, { date: "2026-01-31", operation: "areas", credits: 0 }))
        usage.record(newEvent(id, { date: "2026-01-31", operation: "lookup", credits: 2 }))
        usage.record(newEvent(id, { date: "2026-02-01", operation: "lookup", credits: 1 }))
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
          usage.record(newEvent(id, { date }))
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

    it.effect("organizations and environments are counted apart", () =>
      Effect.gen(function* () {
        const usage = yield* UsageLog
        const { id } = yield* storedOrganization()
        const { id: other } = yield* storedOrganization()
        usage.record(newEvent(id, { environment: "test", credits: 1 }))
        usage.record(newEvent(id, { environment: "live", credits: 10 }))
        usage.record(newEvent(other, { environment: "test", credits: 100 }))
        yield* settle
        const credits = (organization_id: string, environment: "test" | "live") =>
          Effect.map(usage.daily({ ...january(organization_id), environment }), (rows) =>
            rows.map((row) => row.credits)
          )
        assert.deepStrictEqual(yield* credits(id, "test"), [1])
        assert.deepStrictEqual(yield* credits(id, "live"), [10])
        assert.deepStrictEqual(yield* credits(other, "test"), [100])
        assert.deepStrictEqual(yield* credits(other, "live"), [])
      })
    )

    it.effect("no request is lost", () =>
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

    it.effect("an unknown organization has no usage, and what is recorded of it counts for nothing", () =>
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
  })

const newEvent = (organization_id: string, fields: Partial<UsageEvent> = {}): UsageEvent => ({
  organization_id,
  environment: "test",
  operation: "lookup",
  credits: 1,
  date: "2026-01-31",
  ...fields
})

const january = (organization_id: string) =>
  ({ organization_id, environment: "test", from: "2026-01-01", to: "2026-02-01" }) as const
