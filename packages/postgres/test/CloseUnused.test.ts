/** Unused organizations on PostgreSQL, while several replicas tell their owners and close them. */
import { assert, it } from "@effect/vitest"
import { member, storedOrganization, suiteNoticeLimits, unusedOrganizationsSuite } from "@postcode/conformance"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { closeUnused } from "@postcode/gateway/suspension/closeUnused"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { layerStore, storeOn } from "./TestStore.ts"

unusedOrganizationsSuite("on PostgreSQL", layerStore)

const withMail = Layer.succeed(NoticeLimits, suiteNoticeLimits)
const all = { limit: 100, cursor: undefined }
const count = 12

it.live("three replicas tell each owner once, and close each organization once", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const replica = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.provide(work, Layer.fresh(Layer.provide(storeOn(url, { maxConnections: 3 }), withMail)))
    const lookOnce = replica(Effect.scoped(Effect.andThen(closeUnused({ after_days: 90 }), Effect.sleep(2_000))))
    const lookAtOnce = Effect.all([lookOnce, lookOnce, lookOnce], { concurrency: "unbounded", discard: true })
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
    yield* lookAtOnce
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
    yield* lookAtOnce
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
