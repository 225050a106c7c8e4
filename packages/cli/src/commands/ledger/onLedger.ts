/** Work on the ledger of a database, for as long as a command runs. */
import { DatabaseUnusable, LedgerFailure, layerDatabase, prepareDatabase } from "@postcode/postgres"
import type { DatabaseFlags } from "@postcode/server/data/DatabaseFlags"
import { databaseOf } from "@postcode/server/data/databaseOf"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { printable, say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** Updates the schema, and runs the work. */
export const onLedger = <A>(
  flags: DatabaseFlags,
  purpose: string,
  work: Effect.Effect<A, LedgerFailure | SqlError, SqlClient.SqlClient>
): Effect.Effect<A, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const url = yield* databaseOf(flags, purpose)
      const onWait = (reason: string) => say(`waiting for the database: ${printable(reason)}`)
      return yield* Effect.andThen(prepareDatabase({ onWait }), work).pipe(
        Effect.provide(layerDatabase({ url, maxConnections: 2, applicationName: purpose })),
        Effect.mapError(toFailure)
      )
    })
  )

const toFailure = (error: DatabaseUnusable | LedgerFailure | SqlError): CommandFailure => {
  const { message } = error
  if (error instanceof LedgerFailure || error instanceof DatabaseUnusable) return new CommandFailure(printable(message))
  const { cause } = error.reason
  return new CommandFailure(printable(`the database: ${cause instanceof Error ? cause.message : message}`))
}
