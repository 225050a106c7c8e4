/**
 * The current directory in a replica's memory: loaded when the replica starts, and again when an import has published
 * another edition. Its changes are read as they come. Searches never wait for the database.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Directory } from "@postcode/core/Directory"
import type { UnitStates } from "@postcode/core/LiveDirectory"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { keepRefreshed } from "@postcode/gateway/directory/refreshAddresses"
import { Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { isUnavailable } from "../connection/Database.ts"
import { Follower, layerFollower } from "../connection/Follower.ts"
import { currentEdition, currentVersion } from "./Editions.ts"
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

/** What another thread needs to have the same directory. */
export type DirectoryUpdate =
  /** Another edition is current, or changes were merged into the edition: `live.layers` is all that there is now. */
  | { readonly _tag: "Opened"; readonly edition: FollowedEdition }
  /** These units changed, and the number of changes is now this one. */
  | { readonly _tag: "Changed"; readonly states: UnitStates; readonly changes: number }
  /** The addresses of changed units were indexed. */
  | { readonly _tag: "Indexed"; readonly addresses: Directory }

/** How a process follows the current directory. */
export interface CurrentDirectoryOptions {
  /** Called with the first edition and with each update, when it is current. */
  readonly onUpdate?: (update: DirectoryUpdate) => void
}

/**
 * All changes of a batch become current together. If changes or another edition cannot be loaded, this is logged and
 * retried; until then the directory stays as it is.
 */
export const layerCurrentDirectory = ({
  onUpdate = () => {}
}: CurrentDirectoryOptions = {}): Layer.Layer<
  CurrentDirectory | CurrentEdition,
  NoDirectory | SqlError,
  PgClient.PgClient | SqlClient
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let current = yield* waitingForDatabase(openCurrentEdition)
      yield* Effect.addFinalizer(() => Effect.sync(() => current.close()))
      const follow = (edition: FollowedEdition): void => {
        current = edition
        onUpdate({ _tag: "Opened", edition })
        const { live } = edition
        live.follow((update) => {
          if (current !== edition) return
          if (update._tag === "Merged") onUpdate({ _tag: "Opened", edition })
          else onUpdate(update._tag === "Changed" ? { ...update, changes: live.current.changes } : update)
        })
      }
      follow(current)
      const replace = Effect.gen(function* () {
        const next = yield* openCurrentEdition
        current.close()
        follow(next)
        yield* Effect.logInfo(`the directory is now edition ${next.edition}: ${next.live.current.version}`)
      })
      const reload = Effect.flatMap(answeredOrBroken(currentVersion(sql), 1_000), (found) => {
        if (found === undefined) return Effect.void
        const { changes } = current.live.current
        // An edition has fewer changes than before only if the database was restored from a backup.
        if (found.edition !== current.edition || found.changes < changes) return untilDone(replace)
        return found.changes === changes ? Effect.void : readChanges(current, found.changes)
      })
      const follower = yield* Follower
      const context = yield* Effect.context<SqlClient>()
      yield* follower.follow("directory", {
        name: "changes of the directory",
        reload: Effect.provide(reload, context)
      })
      yield* Effect.forkScoped(keepRefreshed(() => current.addresses))
      const service = CurrentDirectory.of({
        get: () => current.live.current,
        currentSince: ({ version }) => (version === current.live.current.version ? current.since : undefined)
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
