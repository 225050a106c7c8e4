import { assert, layer } from "@effect/vitest"
import { sessionUsesSuite, unique } from "@postcode/conformance"
import { SessionUses } from "@postcode/gateway/widget/sessions/SessionUses"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { forgetSessionUses, layerSessionUses } from "../../src/widget/SessionUses.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

const store = Layer.provideMerge(layerSessionUses, layerMigrated)

sessionUsesSuite("on PostgreSQL", store)

layer(store, { excludeTestServices: true })("SessionUses on PostgreSQL, beyond the suite", (it) => {
  it.effect("counts are deleted when their session has ended, and not before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const uses = yield* SessionUses
      const session = { id: unique("session"), organization_id: unique("org") }
      yield* uses.take(session, "address", 1)
      yield* forgetSessionUses
      assert.isFalse(yield* uses.take(session, "address", 1))
      yield* sql`UPDATE postcode.session_uses SET ends_at = ends_at - interval '2 days' WHERE session = ${session.id}`
      yield* forgetSessionUses
      assert.isTrue(yield* uses.take(session, "address", 1))
    })
  )
})
