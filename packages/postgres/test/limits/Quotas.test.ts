import { setImmediate as nextTick } from "node:timers/promises"
import type { RateSubject } from "@postcode/gateway/limits/RateLimiter"
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { QuotaAnswer, QuotaRequest } from "../../src/limits/QuotaRequests.ts"
import { Quotas } from "../../src/limits/Quotas.ts"

const limit = 30

/** A database that knows one subject, and returns each answer five ticks later. */
class SlowDatabase {
  queries = 0
  private used = 0

  readonly source = async (requests: ReadonlyArray<QuotaRequest>): Promise<ReadonlyArray<QuotaAnswer>> => {
    this.queries++
    for (let tick = 0; tick < 5; tick++) await nextTick()
    return requests.map(({ need, used }) => {
      this.used += used
      const granted = Math.min(need, limit - this.used)
      const total = this.used + granted
      return { granted, total, end_ms: 6_000, opens_ms: total >= limit ? 60_000 : 0, reset_ms: 66_000 }
    })
  }
}

it("requests use the answer that they wait for, before the next query reports it as unused", async () => {
  const database = new SlowDatabase()
  const quotas = new Quotas({
    source: database.source,
    now_ms: () => performance.now(),
    nameOf: (subject) => subject,
    timeout_ms: 5_000,
    maxSubjects: 10,
    onUnavailable: (cause) => expect.unreachable(String(cause))
  })
  const take = () => Effect.runPromise(quotas.take("key:a", limit, 1))
  const first = Array.from({ length: 10 }, take)
  while (database.queries === 0) await nextTick()
  const others = Array.from({ length: 90 }, take)
  const decisions = await Promise.all([...first, ...others])
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit)
  expect(database.queries).toBeLessThanOrEqual(3)
})

it("all limits of a request are in one query", async () => {
  const asked: Array<ReadonlyArray<string>> = []
  const quotas = new Quotas({
    source: async (requests) => {
      asked.push(requests.map(({ subject }) => subject))
      return requests.map(({ need }) => ({ granted: need, total: need, end_ms: 6_000, opens_ms: 0, reset_ms: 66_000 }))
    },
    now_ms: () => performance.now(),
    nameOf: (subject) => subject,
    timeout_ms: 5_000,
    maxSubjects: 10,
    onUnavailable: (cause) => expect.unreachable(String(cause))
  })
  const limits = ["address:a", "key:a", "organization:a"].map((subject) => ({ subject: subject as RateSubject, limit }))
  const { decision } = await Effect.runPromise(quotas.takeAll(limits, 1))
  expect(decision).toMatchObject({ allowed: true, remaining: limit - 1 })
  expect(asked).toEqual([["address:a", "key:a", "organization:a"]])
})
