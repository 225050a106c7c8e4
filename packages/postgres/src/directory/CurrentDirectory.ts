/**
 * The current directory in a replica's memory: loaded when the replica starts, and again when an import has published
 * another edition. Its changes are read as they come. Searches never wait for the database.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Directory } from "@postcode/core/Directory"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { keepRefreshed } from "@postcode/gateway/directory/refreshAddresses"
import { Context, Effect, Layer, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isUnavailable } from "../connection/Database.ts"
import { Follower, layerFollower } from "../connection/Follower.ts"
import { currentEdition } from "./Editions.ts"
import { type FollowedEdition, openEdition, readChanges } from "./FollowedEdition.ts"

/** The directory of `CurrentDirectory`, with the number of its edition. */
export class CurrentEdition extends Context.Service<
  CurrentEdition,
  { readonly get: () => { readonly edition: number; readonly directory: Directory } }
>()("@postcode/postgres/CurrentEdition") {}

/** The database has no edition yet. */
export class NoDirectory {
  readonly _tag = "NoDirectory"
  readonly message = "the database holds no directory yet: load one with postcode import"
}

/**
 * All changes of a batch become current together. If changes or another edition cannot be loaded, this is logged and
 * retried; until then the directory stays as it is.
 */
export const layerCurrentDirectory: Layer.Layer<
  CurrentDirectory | CurrentEdition,
  NoDirectory | SqlError,
  PgClient.PgClient | SqlClient
> = Layer.effectContext(
  Effect.gen(function* () {
    let current = yield* waitingForDatabase(openCurrentEdition)
    yield* Effect.addFinalizer(() => Effect.sync(() => current.close()))
    const replace = Effect.gen(function* () {
      const next = yield* openCurrentEdition
      current.close()
      current = next
      yield* Effect.logInfo(`the directory is now edition ${next.edition}: ${next.live.current.version}`)
    })
    const reload = (revision: string) => {
      const [edition, changes = 0] = revision.split("+").map(Number)
      const former = current.live.current.changes
      // An edition has fewer changes than before only if the database was restored from a backup.
      if (edition !== current.edition || changes < former) return untilDone(replace)
      return changes === former ? Effect.void : readChanges(current, changes)
    }
    const follower = yield* Follower
    const context = yield* Effect.context<SqlClient>()
    yield* follower.follow("directory", {
      name: "changes of the directory",
      reload: (revision) => Effect.provide(reload(revision), context)
    })
    yield* Effect.forkScoped(keepRefreshed(() => current.addresses))
    const service = CurrentDirectory.of({
      get: () => current.live.current,
      currentSince: ({ version }) => (version === current.live.current.version ? current.since : undefined),
      warnings: ({ version }) => (version === current.live.current.version ? current.warnings : undefined)
    })
    const get = () => ({ edition: current.edition, directory: current.live.current })
    return Context.make(CurrentDirectory, service).pipe(Context.add(CurrentEdition, { get }))
  })
).pipe(Layer.provide(layerFollower))

/** Loads the current edition with its changes. While the database is unavailable, it retries for 30 s. */
export const openCurrentDirectory: Effect.Effect<Directory, NoDirectory | SqlError, SqlClient> = Effect.suspend(() =>
  Effect.map(waitingForDatabase(openCurrentEdition), ({ close, live }) => {
    close()
    return live.current
  })
)

const openCurrentEdition: Effect.Effect<FollowedEdition, NoDirectory | SqlError, SqlClient> = Effect.suspend(() =>
  Effect.flatMap(
    currentEdition,
    (found): Effect.Effect<FollowedEdition, NoDirectory | SqlError, SqlClient> =>
      found === undefined ? Effect.fail(new NoDirectory()) : openEdition(found)
  )
)

const waitingForDatabase = <A, R>(work: Effect.Effect<A, NoDirectory | SqlError, R>) =>
  Effect.retry(work, {
    while: (error) => error._tag === "SqlError" && isUnavailable(error),
    schedule: Schedule.upTo(Schedule.spaced(250), { duration: 30_000 })
  })

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
