/**
 * Transactions that end. The driver begins and commits them uninterruptibly, so where a connection has gone silent it
 * waits for ever, and with it the place in the pool and whoever closes the pool. Here each of these statements is given
 * up in time. The driver closes a connection that comes back with a statement under way, and the server rolls back.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { makeWithTransaction } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { answeredOrBroken } from "./AnsweredWithin.ts"

/** Gives a client such transactions in place of its own. All else about them stays. */
export const boundTransactions = (client: PgClient.PgClient): PgClient.PgClient =>
  Object.assign(client, {
    withTransaction: makeWithTransaction({
      transactionService: client.transactionService,
      spanAttributes: [["db.system.name", "postgresql"]],
      acquireConnection: (restore) => restore(client.reserve),
      begin: (connection: Connection, statement = "BEGIN") => control(connection, statement),
      savepoint: (connection, id) => control(connection, `SAVEPOINT ${nameOf(id)}`),
      releaseSavepoint: (connection, id) => control(connection, `RELEASE SAVEPOINT ${nameOf(id)}`),
      commit,
      rollback: (connection) => control(connection, "ROLLBACK"),
      rollbackSavepoint: (connection, id) => control(connection, `ROLLBACK TO SAVEPOINT ${nameOf(id)}`)
    })
  })

/** Such a statement has little to do. */
const patience_ms = 5_000

const nameOf = (id: number): string => `level_${id}`

const control = (connection: Connection, statement: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(run(connection, statement))

/** What has failed before the server rolls back, and calls that a success. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(run(connection, "COMMIT"), (result) =>
    (result as { readonly command: string }).command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
  )

const run = (connection: Connection, statement: string): Effect.Effect<unknown, SqlError> =>
  answeredOrBroken(connection.executeRaw(statement, []), patience_ms)

const rolledBack = new SqlError({
  reason: new UnknownError({
    cause: new Error("COMMIT rolled back a transaction in which a statement had failed"),
    operation: "commit"
  })
})
