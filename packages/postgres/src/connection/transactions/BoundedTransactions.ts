/**
 * Transactions with timeouts. The driver begins and commits uninterruptibly: on a silent connection it would wait
 * forever, keep the connection's place in the pool, and block the closing of the pool. Here each of these statements
 * has a timeout. The driver closes a connection that is released during a statement, and the server rolls back.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { makeWithTransaction } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../AnsweredWithin.ts"

/** Replaces a client's transactions by ones with timeouts. */
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

const timeout_ms = 5_000

const nameOf = (id: number): string => `level_${id}`

const control = (connection: Connection, statement: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(run(connection, statement))

/** After a failed statement, the server answers `COMMIT` with a successful `ROLLBACK`; here this is a failure. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(run(connection, "COMMIT"), (result) =>
    (result as { readonly command: string }).command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
  )

const run = (connection: Connection, statement: string): Effect.Effect<unknown, SqlError> =>
  answeredOrBroken(connection.executeRaw(statement, []), timeout_ms)

const rolledBack = new SqlError({
  reason: new UnknownError({
    cause: new Error("COMMIT rolled back a transaction in which a statement had failed"),
    operation: "commit"
  })
})
