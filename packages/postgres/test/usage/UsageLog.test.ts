import { assert, layer } from "@effect/vitest"
import { newUsageEvent, usageLogSuite } from "@postcode/conformance"
import { type UsageEvent, UsageLog } from "@postcode/gateway/usage/UsageLog"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { layerKeyCopies } from "../../src/keys/KeyCopies.ts"
import { layerOrganizations } from "../../src/organizations/Organizations.ts"
import { UsageCounters } from "../../src/usage/UsageCounters.ts"
import { type FlushableUsageLog, layerUsageLog, makeUsageLog } from "../../src/usage/UsageLog.ts"
import { connectionsTo, layerMigrated, migratedDatabase, proxyTo } from "../MigratedDatabase.ts"

/** Flushes when the suite requests it. */
let made: FlushableUsageLog | undefined
const store = Layer.merge(
  layerOrganizations,
  Layer.effect(
    UsageLog,
    Effect.map(makeUsageLog(), (usage) => {
      made = usage
      return usage.usageLog
    })
  )
).pipe(Layer.provide(layerKeyCopies), Layer.provide(layerMigrated))

usageLogSuite("on PostgreSQL", store, { settle: Effect.suspend(() => Effect.orDie(made?.flush ?? Effect.void)) })

layer(layerMigrated, { excludeTestServices: true })("UsageLog on PostgreSQL, beyond the suite", (it) => {
  it.effect("all counters are stored when the layer's scope closes", () =>
    Effect.gen(function* () {
      const organization_id = yield* newOrganization
      yield* Effect.provide(
        Effect.map(UsageLog, (usage) => {
          for (let i = 0; i < 100; i++) usage.record(newEvent({ organization_id }))
        }),
        layerUsageLog({ flushEvery_ms: 3_600_000 })
      )
      assert.deepStrictEqual(yield* totalsOf(organization_id), { requests: 100n, credits: 200n })
    })
  )

  it.effect("counters are flushed automatically", () =>
    Effect.gen(function* () {
      const organization_id = yield* newOrganization
      const { usageLog } = yield* makeUsageLog({ flushEvery_ms: 5 })
      usageLog.record(newEvent({ organization_id }))
      yield* Effect.repeat(totalsOf(organization_id), { until: (totals) => totals?.requests === 1n })
    })
  )

  it.effect("replicas that count the same concurrently lose nothing and do not block each other", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.replicateEffect(newOrganization, 200)
      const replica = Effect.fnUntraced(function* (order: ReadonlyArray<string>) {
        const { flush, usageLog } = yield* makeUsageLog({ flushEvery_ms: 3_600_000 })
        for (let round = 0; round < 20; round++) {
          for (const organization_id of order) usageLog.record(newEvent({ organization_id, key_id: organization_id }))
          yield* flush
        }
      }, Effect.scoped)
      const orders = [ids, ids.toReversed(), ids, ids.toReversed()]
      yield* Effect.forEach(orders, replica, { concurrency: "unbounded", discard: true })
      for (const id of ids) assert.deepStrictEqual(yield* totalsOf(id), { requests: 80n, credits: 160n })
      assert.deepStrictEqual(yield* trafficOf(ids[0] as string), [{ key_id: ids[0], requests: 80n, credits: 160n }])
    })
  )

  it.effect("a batch whose commit is in doubt is counted once", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      yield* Effect.gen(function* () {
        const organization_id = yield* newOrganization
        const { flush, usageLog } = yield* Effect.provide(
          makeUsageLog({ flushEvery_ms: 3_600_000 }),
          yield* Layer.build(connectionsTo(proxy.url))
        )
        usageLog.record(newEvent({ organization_id }))
        usageLog.record(newEvent({ organization_id }))
        // The connection's first commit, which is sent as text.
        proxy.lose("COMMIT", "breaks")
        assert.propertyVal(yield* Effect.exit(flush), "_tag", "Failure")
        assert.strictEqual(proxy.lost(), 1)
        assert.propertyVal(yield* totalsOf(organization_id), "requests", 2n)
        usageLog.record(newEvent({ organization_id, credits: 10 }))
        yield* flush
        assert.deepStrictEqual(yield* totalsOf(organization_id), { requests: 3n, credits: 14n })
        assert.deepStrictEqual(yield* trafficOf(organization_id), [{ key_id: "key", requests: 3n, credits: 14n }])
      }).pipe(Effect.provide(connectionsTo(url)))
    }).pipe(Effect.scoped)
  )
})

describe("UsageCounters", () => {
  it("keeps at most the maximum number of counters, and returns how many requests were not counted", () => {
    const counters = new UsageCounters(3)
    for (const operation of ["a", "b", "a"]) counters.add(newEvent({ operation }))
    for (const key_id of ["second", "third", "second"]) counters.add(newEvent({ key_id }))
    for (const operation of ["c", "a"]) counters.add(newEvent({ operation }))
    expect(counters.size).toBe(3)
    expect(counters.takeDropped()).toBe(2)
    expect(counters.takeDropped()).toBe(0)
    const taken = [counters.take(1), counters.take(9)]
    expect(taken.map((keys) => keys.map(({ key_id }) => key_id))).toEqual([["key"], ["second"]])
    const days = taken.map(([key]) => key?.counts.days.map(({ operation, requests }) => [operation, requests]))
    expect(days).toEqual([
      [
        ["a", 3],
        ["b", 1]
      ],
      [["lookup.single", 2]]
    ])
    expect(counters.size).toBe(0)
  })

  it("has capacity again after counters were taken", () => {
    const counters = new UsageCounters(1)
    counters.add(newEvent({}))
    counters.take(1)
    counters.add(newEvent({ operation: "b" }))
    expect(counters.takeDropped()).toBe(0)
    expect(counters.size).toBe(1)
  })
})

const newEvent = ({ organization_id = "org", ...fields }: Partial<UsageEvent>): UsageEvent =>
  newUsageEvent(organization_id, {
    environment: "live",
    key_id: "key",
    operation: "lookup.single",
    level: 2,
    credits: 2,
    ...fields
  })

let organizations = 0

const newOrganization = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = `org_usage_${++organizations}`
  yield* sql`
    INSERT INTO postcode.organizations (id, number, name, granted_level, kyb_status, created_at)
    VALUES (${id}, 1, 'Usage', 1, 'unverified', now())`
  return id
})

/** Undefined unless the sums of the key and those of the day are equal. */
const totalsOf = (organization_id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [totals] = yield* sql<{ readonly requests: bigint; readonly credits: bigint }>`
      SELECT requests, credits FROM postcode.usage_by_key
      JOIN postcode.usage_by_day USING (organization_id, requests, credits) WHERE organization_id = ${organization_id}`
    return totals
  })

const trafficOf = (organization_id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`SELECT key_id, requests, credits FROM postcode.key_traffic
      WHERE organization_id = ${organization_id}`
  })
