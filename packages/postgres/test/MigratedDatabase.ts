/** A new database with the schema, for the tests of a file. */
import type { PgClient } from "@effect/sql-pg"
import { makeMigratedDatabase, startTcpProxy } from "@postcode/drills/postgres"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** The address of a new database with the schema, which exists until the scope closes. */
export const migratedDatabase = Effect.map(
  Effect.acquireRelease(Effect.promise(makeMigratedDatabase), ({ drop }) => Effect.promise(drop)),
  ({ url }) => url
)

export function connectionsTo(url: string): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError> {
  return layerDatabase({ url: Redacted.make(url), maxConnections: 4 })
}

/** Connections to a new database with the schema. */
export const layerMigrated = Layer.unwrap(Effect.map(migratedDatabase, connectionsTo))

/** A proxy of a database, until the scope closes. */
export const proxyTo = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => startTcpProxy(url)),
    ({ close }) => Effect.promise(close)
  )
