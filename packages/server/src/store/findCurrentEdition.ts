/** The current edition in the database. */
import { currentEdition, type Edition, layerDatabase, prepareDatabase } from "@postcode/postgres"
import { Effect, type Redacted } from "effect"
import { CommandFailure } from "../process/ExitCode.ts"

/** The current edition; undefined before the first import. Creates the schema if it is missing. */
export const findCurrentEdition = (url: Redacted.Redacted): Effect.Effect<Edition | undefined, CommandFailure> =>
  Effect.andThen(prepareDatabase(), currentEdition).pipe(
    Effect.provide(layerDatabase({ url, maxConnections: 2 })),
    Effect.mapError(({ message }) => new CommandFailure(`the database cannot be used: ${message}`))
  )
