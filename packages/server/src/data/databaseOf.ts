/** The database that a command works on: at an address, or in a data folder. */
import { findUsed } from "@postcode/postgres/embedded"
import { Effect, Redacted, type Scope } from "effect"
import { CommandFailure, exitCodes } from "../process/ExitCode.ts"
import { say } from "../process/Output.ts"
import { checkDatabaseFlags, type DatabaseFlags } from "./DatabaseFlags.ts"
import { explained, openData } from "./openData.ts"

/**
 * The address of the database. In a data folder it is that of the running service; if none runs, the folder's database
 * runs for as long as the scope.
 *
 * @param purpose what the command does, for those that the folder refuses meanwhile: `postcode import`
 */
export const databaseOf = (
  flags: DatabaseFlags,
  purpose: string
): Effect.Effect<Redacted.Redacted, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { data, databaseUrl, postgresBin: bin } = flags
    yield* checkDatabaseFlags(flags)
    if (data === undefined) return databaseUrl ?? (yield* Effect.fail(noDatabase))
    const used = yield* Effect.tryPromise({
      try: () => explained(() => findUsed(data)),
      catch: (error) => error as CommandFailure
    })
    if (used !== undefined) return Redacted.make(used.url)
    return (yield* openData(data, { bin, purpose, connections: 20, onEvent: say })).url
  })

const noDatabase = new CommandFailure(
  "a database is needed: name its address with --database-url (DATABASE_URL), or the folder of an embedded one with " +
    "--data (POSTCODE_DATA)",
  exitCodes.wrongUsage
)
