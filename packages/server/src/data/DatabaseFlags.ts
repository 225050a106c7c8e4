/** The flags of commands on a database. */
import { Effect, type Redacted } from "effect"
import { CommandFailure, exitCodes } from "../process/ExitCode.ts"

/** The first two are flags of which a command needs one. */
export interface DatabaseFlags {
  readonly data: string | undefined
  readonly databaseUrl: Redacted.Redacted | undefined
  /** The folder of PostgreSQL's programs on this machine, for a data folder; undefined for those that npm fetches. */
  readonly postgresBin: string | undefined
}

/** Refuses both at once. */
export const checkDatabaseFlags = ({
  data,
  databaseUrl
}: Omit<DatabaseFlags, "postgresBin">): Effect.Effect<void, CommandFailure> =>
  data !== undefined && databaseUrl !== undefined
    ? Effect.fail(
        new CommandFailure(
          "--data (POSTCODE_DATA) and --database-url (DATABASE_URL): expected one of them, not both",
          exitCodes.wrongUsage
        )
      )
    : Effect.void
