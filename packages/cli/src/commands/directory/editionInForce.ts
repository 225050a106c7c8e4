/** Which directory the database holds, if any. */
import { currentEdition, type Edition, layerDatabase, prepareDatabase } from "@postcode/postgres"
import { Effect, type Redacted } from "effect"
import { CommandFailure } from "../../ExitCode.ts"

/** The edition in force; undefined before the first import. The schema is made if it is not there. */
export const editionInForce = (url: Redacted.Redacted): Effect.Effect<Edition | undefined, CommandFailure> =>
  Effect.andThen(prepareDatabase(), currentEdition).pipe(
    Effect.provide(layerDatabase({ url, maxConnections: 2 })),
    Effect.mapError(({ message }) => new CommandFailure(`the database cannot be used: ${message}`))
  )
