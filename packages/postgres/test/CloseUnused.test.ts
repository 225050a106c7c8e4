/** Unused organizations on PostgreSQL, while several replicas tell their owners and close them. */
import { assert, it } from "@effect/vitest"
import { member, storedOrganization, suiteNoticeLimits, unusedOrganizationsSuite } from "@postcode/conformance"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { closeUnused } from "@postcode/gateway/suspension/closeUnused"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { layerStore, storeOn } from "./TestStore.ts"

unusedOrganizationsSuite("on PostgreSQL", layerStore, (id) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(sql`SELECT FROM postcode.api_keys WHERE organization_id = ${id} AND last_used_at IS NOT NULL`, {
      until: ({ length }) => length > 0,
      schedule: Schedule.spaced(50)
    })
  )
)

const withMail = Layer.succeed(NoticeLimits, suiteNoticeLimits)
const all = { limit: 100, cursor: undefined }
const count = 12

it.live("three replicas tell each owner once, and close each organization once", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const replica = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.provide(work, Layer.fresh(Layer.provide(storeOn(url, { maxConnections: 3 }), withMail)))
    /** Three replicas look until all organizations are found in this table. */
    const lookUntilAllIn = (table: string) => {
      const untilAll = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.repeat(sql`SELECT FROM ${sql.literal(table)}`, {
          until: ({ length }) => length === count,
          schedule: Schedule.spaced(100)
        })
      )
      const look = replica(Effect.scoped(Effect.andThen(closeUnused({ after_days: 90 }), untilAll)))
      return Effect.all([look, look, look], { concurrency: "unbounded", discard: true })
    }
    const ids = yield* replica(
      Effect.replicateEffect(
        Effect.gen(function* () {
          const { id } = yield* storedOrganization({}, { granted_level: 1, created_at: "2020-01-01T00:00:00.000Z" })
          yield* member("owner", id)
          return id
        }),
        count
      )
    )
    yield* lookUntilAllIn("postcode.notices WHERE kind = 'organization_will_close'")
    yield* replica(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { items } = yield* (yield* Notices).list({ kind: "organization_will_close" }, all)
        assert.sameMembers(
          items.map(({ organization_id }) => organization_id ?? ""),
          ids
        )
        yield* sql`UPDATE postcode.organizations SET closes_at = now() - interval '1 second'`
      })
    )
    yield* lookUntilAllIn("postcode.organizations WHERE status = 'closed'")
    yield* replica(
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const statuses = yield* Effect.forEach(ids, (id) => Effect.map(organizations.get(id), ({ status }) => status))
        assert.deepStrictEqual([...new Set(statuses)], ["closed"])
        const { items } = yield* (yield* AuditLog).list({}, all)
        const closed = items.filter(({ action }) => action === "organization.closed").map(({ subject }) => subject)
        assert.sameMembers(closed, ids)
        assert.lengthOf((yield* (yield* Notices).list({ kind: "organization_will_close" }, all)).items, count)
      })
    )
  }).pipe(Effect.scoped)
)
