/**
 * Statements that run to their end although their caller has given up. The driver would cancel them, and PostgreSQL
 * understands a cancelled commit that waits for a synchronous standby as done: the change becomes visible without any
 * standby, so a repeated request would be told that it is stored, and a failover would lose it.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Option } from "effect"
import { make, type SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** The same client, whose statements are never cancelled. */
export const withoutCancellation = (client: PgClient.PgClient) => {
  const reserve = Effect.map(client.reserve, (connection): Connection => new UncancelledConnection(connection))
  const { config, json, listen, notify } = client
  return Effect.map(
    make({
      acquirer: reserve,
      transactionAcquirer: reserve,
      driver: client.driver,
      compiler: PgClient.makeCompiler(),
      spanAttributes: [["db.system.name", "postgresql"]]
    }),
    (sql: SqlClient): PgClient.PgClient =>
      Object.assign(sql, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify } as const)
  )
}

/** How long an abandoned statement keeps its connection, which is then closed. The server ends most statements by then. */
const timeout_ms = 5_000

/** A reserved connection. The driver closes it if it is released during a statement. */
class UncancelledConnection implements Connection {
  readonly executeStream: Connection["executeStream"]
  private readonly connection: Connection
  private isAbandoned = false

  constructor(connection: Connection) {
    this.connection = connection
    this.executeStream = (sql, params, transform) => connection.executeStream(sql, params, transform)
  }

  readonly execute: Connection["execute"] = (sql, params, transform) =>
    this.toItsEnd(this.connection.execute(sql, params, transform))

  readonly executeRaw: Connection["executeRaw"] = (sql, params) =>
    this.toItsEnd(this.connection.executeRaw(sql, params))

  readonly executeValues: Connection["executeValues"] = (sql, params) =>
    this.toItsEnd(this.connection.executeValues(sql, params))

  readonly executeValuesUnprepared: Connection["executeValuesUnprepared"] = (sql, params) =>
    this.toItsEnd(this.connection.executeValuesUnprepared(sql, params))

  readonly executeUnprepared: Connection["executeUnprepared"] = (sql, params, transform) =>
    this.toItsEnd(this.connection.executeUnprepared(sql, params, transform))

  /** After an abandoned statement, a rollback would only wait for it, so nothing more is sent. */
  private toItsEnd<A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.suspend(() =>
      this.isAbandoned
        ? Effect.fail(abandoned)
        : Effect.flatMap(Effect.forkDetach(statement, { startImmediately: true }), (fiber) =>
            Effect.onInterrupt(Fiber.join(fiber), () => this.awaitEnd(fiber))
          )
    )
  }

  private awaitEnd(fiber: Fiber.Fiber<unknown, SqlError>): Effect.Effect<void> {
    const end = Effect.interruptible(Effect.timeoutOption(Fiber.await(fiber), timeout_ms))
    return Effect.map(end, (ended) => {
      this.isAbandoned = Option.isNone(ended)
    })
  }
}

const abandoned = new SqlError({
  reason: new ConnectionError({
    cause: new Error("an earlier statement has not ended"),
    message: "an earlier statement has not ended",
    operation: "query"
  })
})
