/** The flags of commands on a database. */
import { Effect, type Redacted } from "effect"
import { CommandFailure, exitCodes } from "../process/ExitCode.ts"

/** The two flags, of which a command needs one. */
export interface DatabaseFlags {
  readonly data: string | undefined
  readonly databaseUrl: Redacted.Redacted | undefined
}

/** Refuses both at once. */
export const checkDatabaseFlags = ({ data, databaseUrl }: DatabaseFlags): Effect.Effect<void, CommandFailure> =>
  data !== undefined && databaseUrl !== undefined
    ? Effect.fail(
        new CommandFailure(
          "--data (POSTCODE_DATA) and --database-url (DATABASE_URL): expected one of them, not both",
          exitCodes.wrongUsage
        )
      )
    : Effect.void
