/** The embedded database of a data folder, for as long as a command runs. */
import { type EmbeddedDatabase, EmbeddedFailure, openEmbedded, ProgramsMissing } from "@postcode/postgres/embedded"
import { Effect, Redacted, type Scope } from "effect"
import { CommandFailure, toFailure } from "../process/ExitCode.ts"
import { untilSettled } from "../process/UntilSettled.ts"
import { keepSecrets } from "./DataSecrets.ts"

/** An open data folder. */
export interface OpenedData extends Pick<EmbeddedDatabase, "folder"> {
  /** The service's database, as its owner. */
  readonly url: Redacted.Redacted
  /** Fails when another process has taken the folder. */
  readonly lost: Effect.Effect<never, CommandFailure>
}

export interface OpenDataOptions {
  /** The folder of PostgreSQL's programs on this machine; undefined for those that npm fetches. */
  readonly bin: string | undefined
  /** What this process does, for those that are refused meanwhile: `postcode serve`. */
  readonly purpose: string
  /** How many connections are needed. */
  readonly connections: number
  readonly onEvent: (message: string) => void
}

/** Starts its server, and stops it with the scope. Creates the folder, the database and the secrets if they are missing. */
export const openData = (
  path: string,
  options: OpenDataOptions
): Effect.Effect<OpenedData, CommandFailure, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const prepare = ({ secrets }: EmbeddedDatabase["folder"], isNew: boolean) => keepSecrets(secrets, isNew)
      const { close, folder, lost, url } = yield* restore(
        untilSettled((signal) => explained(() => openEmbedded({ path, prepare, ...options }, signal)))
      )
      yield* Effect.addFinalizer(() => Effect.promise(close))
      return {
        folder,
        url: Redacted.make(url),
        lost: Effect.flatMap(
          Effect.promise(() => lost),
          ({ message }) => Effect.fail(new CommandFailure(message))
        )
      }
    })
  )

/** Runs work on a data folder; its failures become those of the command. */
export const explained = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EmbeddedFailure)) throw toFailure(error)
    const remedy = "; use a database of your own instead, with --database-url or DATABASE_URL"
    throw new CommandFailure(error instanceof ProgramsMissing ? error.message + remedy : error.message)
  }
}
