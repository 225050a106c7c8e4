/** The journals while the server is stopped. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, newEvent, newSelection, newUsageEvent, storedOrganization } from "@postcode/conformance"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { UsageLog } from "@postcode/gateway/usage/UsageLog"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { layerDatabase, migrate } from "@postcode/postgres"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerAuditLog } from "../../src/audit/AuditLog.ts"
import { layerKeyCopies } from "../../src/keys/KeyCopies.ts"
import { layerOrganizations } from "../../src/organizations/Organizations.ts"
import { layerUsageLog } from "../../src/usage/UsageLog.ts"
import { layerSelections } from "../../src/widget/Selections.ts"
import { ownServer } from "../OwnServer.ts"

const journals = Layer.mergeAll(
  layerOrganizations,
  layerAuditLog,
  layerUsageLog({ flushEvery_ms: 20 }),
  layerSelections({ flushEvery_ms: 20 })
).pipe(Layer.provide(layerKeyCopies))

describe("the journals while the database is unavailable", () => {
  it.live("store all accepted data later, refuse what cannot be stored, and recover without a restart", () =>
    Effect.gen(function* () {
      const postgres = yield* ownServer
      const connections = layerDatabase({ url: Redacted.make(postgres.url("postgres")), maxConnections: 4 })
      yield* Effect.gen(function* () {
        yield* migrate
        yield* Effect.provide(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const [audit, usage, selections] = [yield* AuditLog, yield* UsageLog, yield* Selections]
            const { id } = yield* storedOrganization()
            const count = () => usage.record(newUsageEvent(id))
            count()
            yield* Effect.promise(postgres.stop)
            for (let i = 0; i < 99; i++) count()
            const recorded = Array.from({ length: 50 }, () => newSelection({ organization_id: id }))
            yield* Effect.forEach(recorded, selections.record)
            yield* failsWith(audit.append(newEvent()), "Unavailable")
            yield* Effect.sleep(100)
            yield* Effect.promise(postgres.start)
            const stored = Effect.orElseSucceed(
              sql<{ readonly requests: bigint; readonly selections: bigint }>`
                SELECT (SELECT sum(requests)::int8 FROM postcode.usage_by_key) AS requests,
                  (SELECT count(*) FROM postcode.selections) AS selections`,
              () => []
            )
            const [totals] = yield* Effect.repeat(Effect.delay(stored, 20), {
              until: ([row]) => row?.selections === 50n && (row.requests ?? 0n) >= 100n
            })
            assert.deepStrictEqual(totals, { requests: 100n, selections: 50n })
            yield* audit.append(newEvent())
          }),
          journals
        )
      }).pipe(Effect.provide(connections))
    }).pipe(Effect.scoped, Effect.provideService(Logger.CurrentLoggers, new Set()))
  )
})
