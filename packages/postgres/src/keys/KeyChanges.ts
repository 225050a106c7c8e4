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
import { type Epochs, raiseEpoch } from "./Epochs.ts"

/**
 * Runs a change in a transaction and tells all replicas of it. Where it answers undefined, nothing was changed, and
 * nothing is told. This replica knows of it when the transaction is committed, before the caller does.
 */
export const changeKeys = <A, E>(
  sql: SqlClient,
  epochs: Epochs["Service"],
  organization_id: string,
  change: Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  inTransaction(
    sql,
    Effect.gen(function* () {
      yield* lockAccounts(sql, organization_id)
      const changed = yield* change
      if (changed === undefined) return changed
      const epoch = yield* raiseEpoch(sql, "keys")
      yield* sql.afterCommit(Effect.sync(() => epochs.observe("keys", epoch)))
      return changed
    })
  )

/** Always in the same order, so that two changes never wait for each other. */
const lockAccounts = (sql: SqlClient, organization_id: string) =>
  sql`SELECT FROM postcode.credit_accounts WHERE organization_id = ${organization_id}
    ORDER BY environment FOR UPDATE`
