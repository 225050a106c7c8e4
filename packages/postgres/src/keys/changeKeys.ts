/**
 * What a change does that takes something from keys: a revocation, a rotation, or another grant of their organization. It
 * raises the revision of the organization's accounts. A charge is written only at the revision at which it was decided,
 * so none that commits later was allowed by what is gone.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inTransaction } from "../connection/Database.ts"
import type { KeyCopies } from "./KeyCopies.ts"

/**
 * Runs a change in a transaction. This replica drops its copies of keys when the transaction is committed, before the
 * caller hears of it; those of the others end within 500 ms. If the change answers undefined, nothing was changed.
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
      yield* sql.afterCommit(Effect.sync(forget))
      return changed
    })
  )

/** Always in the same order, so that two changes never wait for each other in a circle. */
const lockAccounts = (sql: SqlClient, organization_id: string) =>
  sql`SELECT FROM postcode.credit_accounts WHERE organization_id = ${organization_id}
    ORDER BY environment FOR UPDATE`

const reviseAccounts = (sql: SqlClient, organization_id: string) =>
  sql`UPDATE postcode.credit_accounts SET revision = revision + 1 WHERE organization_id = ${organization_id}`
