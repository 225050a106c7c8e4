/**
 * The directory in force, as a replica keeps it in memory: loaded when the replica starts, and anew when an import has
 * published another edition. Searches never wait for the database.
 *
 * ```ts
 * layerCurrentDirectory({ onEdition: ({ image }) => worker.postMessage(image) }) // CurrentDirectory | CurrentEdition
 * ```
 *
 * `onEdition` gets each edition from the second on, with its snapshot in memory that other threads can `Directory.open`
 * with `verify: false`; the first is `CurrentEdition.get()`.
 */
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { Context, Effect, Layer, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isAway } from "../connection/Database.ts"
import { currentEdition, currentNumber } from "./Editions.ts"
import { type LoadedEdition, loadEdition } from "./loadEdition.ts"

/** The edition in force in this process: the directory as `CurrentDirectory` has it, and more. */
export class CurrentEdition extends Context.Service<CurrentEdition, { readonly get: () => LoadedEdition }>()(
  "@postcode/postgres/CurrentEdition"
) {}

/** There is nothing to serve yet. */
export class NoDirectory {
  readonly _tag = "NoDirectory"
  readonly message = "the database holds no directory yet: load one with postcode import"
}

/** Who is told of new editions. */
export interface CurrentDirectoryOptions {
  /** Told of each edition that takes the place of another, just before it is in force. */
  readonly onEdition?: (edition: LoadedEdition) => void
  /** Milliseconds between two checks for another edition; 500 by default. */
  readonly checkInterval_ms?: number
}

/** What it cannot load while it runs it reports and tries again; meanwhile the edition before stays in force. */
export const layerCurrentDirectory = ({
  checkInterval_ms = 500,
  onEdition = () => {}
}: CurrentDirectoryOptions = {}): Layer.Layer<CurrentDirectory | CurrentEdition, NoDirectory | SqlError, SqlClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      let inForce = yield* openCurrentDirectory
      const renew = Effect.gen(function* () {
        const found = yield* currentEdition
        if (found === undefined || found.edition === inForce.edition) return
        const loaded = yield* loadEdition(found)
        onEdition(loaded)
        inForce = loaded
        yield* Effect.logInfo(`the directory is now edition ${loaded.edition}: ${loaded.directory.version}`)
      })
      const isChanged = Effect.map(currentNumber, (edition) => edition !== undefined && edition !== inForce.edition)
      // A database that does not answer is asked again: until then the edition stays.
      const check = Effect.flatMap(
        Effect.orElseSucceed(isChanged, () => false),
        (changed) => (changed ? untilDone(renew) : Effect.void)
      )
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(checkInterval_ms), check)))
      const current = CurrentDirectory.of({
        get: () => inForce.directory,
        currentSince: (directory) => (directory === inForce.directory ? inForce.since : undefined)
      })
      return Context.make(CurrentDirectory, current).pipe(Context.add(CurrentEdition, { get: () => inForce }))
    })
  )

/** Loads the edition in force. A database that goes away meanwhile is waited for, for half a minute. */
export const openCurrentDirectory: Effect.Effect<LoadedEdition, NoDirectory | SqlError, SqlClient> = Effect.flatMap(
  Effect.suspend(() => currentEdition),
  (found): Effect.Effect<LoadedEdition, NoDirectory | SqlError, SqlClient> =>
    found === undefined ? Effect.fail(new NoDirectory()) : loadEdition(found)
).pipe(
  Effect.retry({
    while: (error) => error._tag === "SqlError" && isAway(error),
    schedule: Schedule.upTo(Schedule.spaced(250), { duration: 30_000 })
  })
)

/** Between two attempts, at first; each pause is twice as long as the one before, up to ten seconds. */
const shortestPause_ms = 200
const longestPause_ms = 10_000

const untilDone = <E>(work: Effect.Effect<void, E, SqlClient>): Effect.Effect<void, never, SqlClient> =>
  work.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logWarning("a new edition of the directory could not be loaded yet", cause)),
    Effect.retry(Schedule.min([Schedule.exponential(shortestPause_ms), Schedule.spaced(longestPause_ms)])),
    Effect.orDie
  )
