/** The ports of accounts on PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import {
  accountLinksSuite,
  accountsSuite,
  consoleSessionsSuite,
  deviceLoginsSuite,
  managementKeysSuite,
  member,
  newAccount,
  newInvitation,
  passkeysSuite,
  storedOrganization
} from "@postcode/conformance"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { cleanUp } from "../src/maintenance/Maintenance.ts"
import { untilLockWaits } from "./LockWaits.ts"
import { layerStore } from "./TestStore.ts"

accountLinksSuite("on PostgreSQL", layerStore)
deviceLoginsSuite("on PostgreSQL", layerStore)
accountsSuite("on PostgreSQL", layerStore)
consoleSessionsSuite("on PostgreSQL", layerStore)
managementKeysSuite("on PostgreSQL", layerStore)
passkeysSuite("on PostgreSQL", layerStore)

layer(layerStore, { excludeTestServices: true })("Accounts on PostgreSQL, at the same time", (it) => {
  it.effect("withdrawing an invitation that is being accepted waits, and then finds no invitation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const { id: organization_id } = yield* storedOrganization()
      const invitation = newInvitation({ organization_id })
      yield* accounts.invite(invitation, "accepted meanwhile")
      const account = newAccount()
      // Another transaction inserts the same email and rolls back later, so that `accept` waits.
      const { accepting, withdrawing } = yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* sql.reserve
          const run = (statement: string) => connection.executeRaw(statement, [])
          yield* run("BEGIN")
          yield* run(`INSERT INTO postcode.accounts (id, number, email, name, is_operator, password, epoch, created_at)
            VALUES ('acc_rival', 1, '${account.email}', 'Eve', true, '', 1, now())`)
          const accepting = yield* Effect.forkChild(
            accounts.accept("accepted meanwhile", account, invitation.created_at)
          )
          yield* untilLockWaits()
          const withdrawing = yield* Effect.forkChild(Effect.flip(accounts.withdraw(invitation.id)))
          yield* untilLockWaits(2)
          yield* run("ROLLBACK")
          return { accepting, withdrawing }
        })
      )
      const accepted = (yield* Fiber.join(accepting)).account
      assert.deepStrictEqual([accepted.id, accepted.memberships[0]?.organization_id], [account.id, organization_id])
      assert.strictEqual((yield* Fiber.join(withdrawing))._tag, "NotFound")
    })
  )
})

layer(layerStore, { excludeTestServices: true })("Accounts on PostgreSQL, tidied up", (it) => {
  it.effect("ended console sessions and expired invitations are deleted, others stay", () =>
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
          (id, number, hash, role, email, organization_id, created_by, created_at, expires_at, is_claim)
          VALUES (${id}, 1, ${id}, 'owner', 'ada@people.example', ${organization_id}, 'operator', ${at(-30)}, ${expires_at}, false)`
      }
      yield* cleanUp
      const hashes = yield* sql<{ readonly hash: string }>`SELECT hash FROM postcode.console_sessions`
      assert.deepStrictEqual(hashes, [{ hash: "current" }])
      const invitations = yield* sql<{ readonly id: string }>`SELECT id FROM postcode.invitations`
      assert.deepStrictEqual(invitations, [{ id: "inv_current" }])
    })
  )
})
