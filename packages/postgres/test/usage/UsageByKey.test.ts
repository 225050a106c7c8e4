/** What becomes of usage that the version before has counted, or still counts. */
import { assert, describe, it } from "@effect/vitest"
import { dateOf, dayOf } from "@postcode/core/UsageCounts"
import { UsageLog } from "@postcode/core/usage/UsageLog"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { cleanUp } from "../../src/maintenance/Maintenance.ts"
import { addUsageByKey } from "../../src/migrations/0010_usage.ts"
import { layerUsageLog } from "../../src/usage/UsageLog.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

const onNewDatabase = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | UsageLog>) =>
  Effect.provide(test, Layer.provideMerge(layerUsageLog(), layerMigrated))

describe("usage of the version before", () => {
  it.live("is carried over, with keys, levels and statuses that nobody knows", () =>
    onNewDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* newOrganization
        yield* asBefore
        yield* countAsBefore([["2026-01-30", "search", 4, 0]])
        yield* countAsBefore([
          ["2026-01-31", "lookup", 2, 6],
          ["2026-01-31", "search", 1, 0]
        ])
        yield* sql.withTransaction(addUsageByKey)
        const used = (by: "key" | "level" | "operation" | "status") => daily(by)
        assert.deepStrictEqual(yield* used("operation"), [
          { date: "2026-01-30", operation: "search", requests: 4, credits: 0 },
          { date: "2026-01-31", operation: "lookup", requests: 2, credits: 6 },
          { date: "2026-01-31", operation: "search", requests: 1, credits: 0 }
        ])
        for (const [by, name] of [
          ["key", "key_id"],
          ["level", "level"],
          ["status", "status"]
        ] as const) {
          assert.deepStrictEqual<unknown>(yield* used(by), [
            { date: "2026-01-30", [name]: null, requests: 4, credits: 0 },
            { date: "2026-01-31", [name]: null, requests: 3, credits: 6 }
          ])
        }
        assert.deepStrictEqual(yield* sql`SELECT FROM postcode.usage_days`, [])
      })
    )
  )

  it.live("is added to what is there, as long as replicas of that version run", () =>
    onNewDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* newOrganization
        const day = dateOf(dayOf(Date.now()))
        for (let round = 0; round < 3; round++) {
          yield* countAsBefore([
            [day, "lookup", 2, 6],
            ["2026-01-31", "search", 1, 0]
          ])
        }
        assert.deepStrictEqual(yield* daily("operation", day), [
          { date: "2026-01-31", operation: "search", requests: 3, credits: 0 },
          { date: day, operation: "lookup", requests: 6, credits: 18 }
        ])
        assert.deepStrictEqual(yield* sql`SELECT FROM postcode.usage_days`, [])
      })
    )
  )
})

describe("traffic", () => {
  it.live("of more than three hours ago is forgotten", () =>
    onNewDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const age of ["179 minutes", "181 minutes"]) {
          yield* sql`INSERT INTO postcode.key_traffic VALUES ('org', ${age}, now() - ${age}::text::interval, 1, 1, 0)`
        }
        yield* cleanUp
        assert.deepStrictEqual(yield* sql`SELECT key_id FROM postcode.key_traffic`, [{ key_id: "179 minutes" }])
      })
    )
  )
})

const newOrganization = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO postcode.organizations (id, name, granted_level, kyb_status, created_at)
    VALUES ('org', 'Usage', 1, 'unverified', now())`
})

/** Takes the step back. */
const asBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE postcode.usage_by_key, postcode.key_traffic`
  yield* sql`DROP FUNCTION postcode.count_former_usage CASCADE`
})

type Count = readonly [date: string, operation: string, requests: number, credits: number]

/** The statement of the version before. */
const countAsBefore = Effect.fnUntraced(function* (counts: ReadonlyArray<Count>) {
  const sql = yield* SqlClient.SqlClient
  const rows = counts.map(([date, operation, requests, credits]) => ({ date, operation, requests, credits }))
  yield* sql`
    INSERT INTO postcode.usage_days AS d (organization_id, environment, date, operation, requests, credits)
    SELECT 'org', 'live', c.date, c.operation, c.requests, c.credits
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS c (date date, operation text, requests bigint, credits bigint)
    ORDER BY c.date, c.operation
    ON CONFLICT (organization_id, environment, date, operation) DO UPDATE SET
      requests = d.requests + excluded.requests, credits = d.credits + excluded.credits`
})

const daily = (by: "key" | "level" | "operation" | "status", to = "2026-01-31") =>
  Effect.flatMap(UsageLog, (log) =>
    log.daily({
      organization_id: "org",
      environment: "live",
      from: "2026-01-01",
      to,
      by,
      key_id: undefined,
      limit: 100
    })
  )
