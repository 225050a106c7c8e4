/**
 * The current directory in a replica's memory: loaded when the replica starts, and again when an import has published
 * another edition. Searches never wait for the database.
 *
 * ```ts
 * layerCurrentDirectory({ onEdition: ({ image }) => worker.postMessage(image) }) // CurrentDirectory | CurrentEdition
 * ```
 *
 * `onEdition` receives each edition from the second on; the first is `CurrentEdition.get()`. Other threads can open the
 * snapshot in its shared memory by `Directory.open` with `verify: false`.
 */
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { Context, Effect, Layer, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isAway } from "../connection/Database.ts"
import { currentEdition, currentNumber } from "./Editions.ts"
import { type LoadedEdition, loadEdition } from "./loadEdition.ts"

/** The current edition of this process: the directory of `CurrentDirectory`, with its number and snapshot. */
export class CurrentEdition extends Context.Service<CurrentEdition, { readonly get: () => LoadedEdition }>()(
  "@postcode/postgres/CurrentEdition"
) {}

/** The database has no edition yet. */
export class NoDirectory {
  readonly _tag = "NoDirectory"
  readonly message = "the database holds no directory yet: load one with postcode import"
}

export interface CurrentDirectoryOptions {
  /** Called with each new edition, just before it becomes current. */
  readonly onEdition?: (edition: LoadedEdition) => void
  /** Milliseconds between two checks for a new edition; 500 by default. */
  readonly checkInterval_ms?: number
}

/** If a new edition cannot be loaded, this is logged and retried; until then the previous edition stays current. */
export const layerCurrentDirectory = ({
  checkInterval_ms = 500,
  onEdition = () => {}
}: CurrentDirectoryOptions = {}): Layer.Layer<CurrentDirectory | CurrentEdition, NoDirectory | SqlError, SqlClient> =>
  Layer.effectContext(
    Effect.gen(function* () {
      let current = yield* openCurrentDirectory
      const renew = Effect.gen(function* () {
        const found = yield* currentEdition
        if (found === undefined || found.edition === current.edition) return
        const loaded = yield* loadEdition(found)
        onEdition(loaded)
        current = loaded
        yield* Effect.logInfo(`the directory is now edition ${loaded.edition}: ${loaded.directory.version}`)
      })
      const isChanged = Effect.map(currentNumber, (edition) => edition !== undefined && edition !== current.edition)
      // If the query fails, the edition stays until the next check.
      const check = Effect.flatMap(
        Effect.orElseSucceed(isChanged, () => false),
        (changed) => (changed ? untilDone(renew) : Effect.void)
      )
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(checkInterval_ms), check)))
      const service = CurrentDirectory.of({
        get: () => current.directory,
        currentSince: (directory) => (directory === current.directory ? current.since : undefined)
      })
      return Context.make(CurrentDirectory, service).pipe(Context.add(CurrentEdition, { get: () => current }))
    })
  )

/** Loads the current edition. While the database is unavailable, it retries for 30 s. */
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

/** Exponential backoff between two attempts. */
const minPause_ms = 200
const maxPause_ms = 10_000

const untilDone = <E>(work: Effect.Effect<void, E, SqlClient>): Effect.Effect<void, never, SqlClient> =>
  work.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logWarning("a new edition of the directory could not be loaded yet", cause)),
    Effect.retry(Schedule.min([Schedule.exponential(minPause_ms), Schedule.spaced(maxPause_ms)])),
    Effect.orDie
  )
