/** The ports of people's accounts on PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import { ConsoleSessions } from "@postcode/core/ports/ConsoleSessions"
import { accountsSuite, member } from "@postcode/core/testing/AccountsSuite"
import { consoleSessionsSuite } from "@postcode/core/testing/ConsoleSessionsSuite"
import { passkeysSuite } from "@postcode/core/testing/PasskeysSuite"
import { PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { cleanUp } from "../src/Maintenance.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { layerTestSecrets } from "./TestSecrets.ts"

const store = Layer.unwrap(
  Effect.map(migratedDatabase, (url) => PostgresStore.layer({ url: Redacted.make(url) }))
).pipe(Layer.provide(layerTestSecrets))

accountsSuite("on PostgreSQL", store)
consoleSessionsSuite("on PostgreSQL", store)
passkeysSuite("on PostgreSQL", store)

layer(store, { excludeTestServices: true })("Accounts on PostgreSQL, tidied up", (it) => {
  it.effect("sessions and invitations that count no longer are deleted, others stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* ConsoleSessions
      const { account, epoch, organization_id } = yield* member("owner")
      const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
      const session = { account_id: account.id, epoch, created_at: at(-30), ends_at: at(1) }
      yield* sessions.start("current", session)
      yield* sessions.start("ended", { ...session, ends_at: at(-2) })
      yield* sessions.start("of before", { ...session, epoch: epoch - 1 })
      for (const [id, expires_at] of [
        ["inv_current", at(1)],
        ["inv_expired", at(-2)]
      ]) {
        yield* sql`INSERT INTO postcode.invitations
          (id, hash, role, organization_id, created_by, created_at, expires_at, is_claim)
          VALUES (${id}, ${id}, 'owner', ${organization_id}, 'operator', ${at(-30)}, ${expires_at}, false)`
      }
      yield* cleanUp
      const hashes = yield* sql<{ readonly hash: string }>`SELECT hash FROM postcode.console_sessions`
      assert.deepStrictEqual(hashes, [{ hash: "current" }])
      const invitations = yield* sql<{ readonly id: string }>`SELECT id FROM postcode.invitations`
      assert.deepStrictEqual(invitations, [{ id: "inv_current" }])
    })
  )
})
