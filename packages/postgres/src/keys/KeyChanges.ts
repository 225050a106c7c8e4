/**
 * What a change does that takes something from keys: a revocation, a rotation, or another grant of their organization. It
 * waits until no charge holds one of the organization's accounts, and then makes them wait until it is committed. A
 * charge locks its account first and asks about its key behind that, so none that commits later was allowed by what is
 * gone.
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
      if (changed !== undefined) yield* sql.afterCommit(Effect.sync(forget))
      return changed
    })
  )

/** Always in the same order, so that two changes never wait for each other. */
const lockAccounts = (sql: SqlClient, organization_id: string) =>
  sql`SELECT FROM postcode.credit_accounts WHERE organization_id = ${organization_id}
    ORDER BY environment FOR UPDATE`
