/**
 * Changes that may forbid what keys were allowed to do: a revocation, a rotation, or a new grant of the organization.
 * They increment the revision of the organization's balances. A charge is written only if the revision is the one it
 * was decided on, so no later charge relies on the old state.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inTransaction } from "../connection/Database.ts"
import { raiseRevision } from "../connection/Follower.ts"
import type { KeyCopies } from "./KeyCopies.ts"

/**
 * Runs a change in a transaction; it returns undefined if it changed nothing. After the commit, and before this
 * returns, this replica drops its copies of keys. Other replicas notice the new revision of the keys, or their copies expire
 * within 500 ms.
 */
export const changeKeys = <A, E>(
  sql: SqlClient,
  { forget }: KeyCopies["Service"],
  organization_id: string,
  change: Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  inTransaction(
    sql,
    Effect.gen(function* () {
      yield* lockAccounts(sql, organization_id)
      const changed = yield* change
      if (changed === undefined) return changed
      yield* reviseAccounts(sql, organization_id)
      yield* raiseRevision(sql, "keys")
      yield* sql.afterCommit(Effect.sync(forget))
      return changed
    })
  )

/** Always in the same order, so that changes cannot deadlock. */
const lockAccounts = (sql: SqlClient, organization_id: string) =>
  sql`SELECT FROM postcode.credit_accounts WHERE organization_id = ${organization_id}
    ORDER BY environment FOR UPDATE`

const reviseAccounts = (sql: SqlClient, organization_id: string) =>
  sql`UPDATE postcode.credit_accounts SET revision = revision + 1 WHERE organization_id = ${organization_id}`
