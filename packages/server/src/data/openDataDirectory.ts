/** The directory of a data folder: the current edition with its changes, from the database of the folder. */
import type { Directory } from "@postcode/core/Directory"
import { layerDatabase, NoDirectory, openCurrentDirectory } from "@postcode/postgres"
import { Effect } from "effect"
import { commandName } from "../process/CommandName.ts"
import { CommandFailure } from "../process/ExitCode.ts"
import { host } from "../process/Host.ts"
import { databaseOf } from "./databaseOf.ts"
import { existingFolder } from "./dataConnection.ts"

/**
 * Reads it from the database of the running service, or of one that runs meanwhile. The names and streets of address
 * search are part of it; attributes stay in the database.
 */
export const openDataDirectory = (data: string): Effect.Effect<Directory, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* existingFolder(data)
      // These commands have no flag for it.
      const postgresBin = host().env.POSTCODE_POSTGRES_BIN || undefined
      const flags = { data, databaseUrl: undefined, postgresBin }
      const url = yield* databaseOf(flags, "a postcode command that reads the directory")
      return yield* openCurrentDirectory.pipe(
        Effect.provide(layerDatabase({ url, maxConnections: 2 })),
        Effect.mapError((error) => new CommandFailure(explain(data, error)))
      )
    })
  )

const explain = (data: string, error: { readonly message: string }): string =>
  error instanceof NoDirectory
    ? `${data} holds no directory yet: load one with ${commandName()} import PATH --data ${data}`
    : `the directory in ${data} cannot be read: ${error.message}`
