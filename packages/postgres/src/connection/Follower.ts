/**
 * Notices what other processes have changed, with one small query five times a second, whatever the number of keys.
 *
 * The query reads a revision of each subject. A revision changes in the transaction that changes its subject, so as long
 * as it is the same, what was loaded is what the database holds. Nothing is missed if transactions commit in another order
 * than they began: revisions are only compared for equality.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { giveUpAfter } from "./AnsweredWithin.ts"
import { attempting } from "./BackgroundFlush.ts"
import { asking, databaseUnavailable, layerDatabase } from "./Database.ts"

/**
 * What is followed. The keys include what their organizations allow; the directory is its edition and its changes; of
 * webhooks, it is which endpoints were created.
 */
export type FollowedSubject = "directory" | "keys" | "webhooks"

export interface Followed {
  /** What is loaded, in logs, as in "copies of keys wait for the database". */
  readonly name: string
  /** Called after each check, with the time when it was sent, by `performance.now`. */
  readonly onCheck?: (revision: string, sent_ms: number) => void
  /** Loads what has changed. Checks continue meanwhile. If it fails, it is repeated after the next check. */
  readonly reload: (revision: string) => Effect.Effect<void, unknown>
}

export class Follower extends Context.Service<
  Follower,
  {
    /** Calls `reload` whenever the subject has another revision, until the scope closes, and once at the beginning. */
    readonly follow: (subject: FollowedSubject, followed: Followed) => Effect.Effect<void, never, Scope.Scope>
    /** Milliseconds since the last check was sent that was answered; Infinity before the first answer. */
    readonly silence_ms: () => number
    /** Its own connections, so that load on the others cannot delay it. */
    readonly sql: SqlClient
  }
>()("@postcode/postgres/Follower") {}

/** How often the database is checked, and how long an answer counts. */
export interface FollowerTimes {
  /** From one check to the next, in milliseconds. */
  readonly interval_ms: number
  /** How long a copy of a key is valid after a check. A longer time tolerates slower answers, but delays revocations. */
  readonly lifetime_ms: number
}

export const FollowerTimes = Context.Reference<FollowerTimes>("@postcode/postgres/FollowerTimes", {
  defaultValue: () => ({ interval_ms: 200, lifetime_ms: 500 })
})

/** How long a check waits for the database. */
const timeout_ms = 1_000
/** How long the layer waits for the first answer. */
const firstAnswer_ms = 2_000

export const layerFollower: Layer.Layer<Follower, SqlError, PgClient.PgClient> = Layer.effect(
  Follower,
  Effect.gen(function* () {
    const url = (yield* PgClient.PgClient).config.url ?? Redacted.make("")
    const connections = layerDatabase({ url, maxConnections: 2, applicationName: "postcode-gateway follower" })
    const sql = Context.get(yield* Layer.build(Layer.fresh(connections)), SqlClient)
    const { interval_ms } = yield* FollowerTimes
    const subjects = new Map<FollowedSubject, FollowedState>()
    let answered_ms = Number.NEGATIVE_INFINITY

    const check = Effect.suspend(() => {
      const sent_ms = performance.now()
      return Effect.map(
        giveUpAfter(asking(readRevisions(sql)), timeout_ms, () => databaseUnavailable),
        (rows) => {
          answered_ms = Math.max(answered_ms, sent_ms)
          for (const { revision, subject } of rows) subjects.get(subject)?.take(revision, sent_ms)
        }
      )
    })
    yield* Effect.timeoutOption(Effect.exit(check), firstAnswer_ms)
    const attempt = attempting("checks for changes", check)
    const checkOnTime = Effect.suspend(() => {
      const next_ms = performance.now() + interval_ms
      return Effect.andThen(
        attempt,
        Effect.suspend(() => Effect.sleep(Math.max(minPause_ms, next_ms - performance.now())))
      )
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(interval_ms), Effect.forever(checkOnTime))))

    return Follower.of({
      follow: (subject, followed) =>
        Effect.gen(function* () {
          const run = Effect.runForkWith(yield* Effect.context())
          const scope = yield* Effect.scope
          const state = new FollowedState(followed, (work) => run(Effect.asVoid(Effect.forkIn(work, scope))))
          subjects.set(subject, state)
          yield* Effect.addFinalizer(() => Effect.sync(() => subjects.delete(subject)))
        }),
      silence_ms: () => performance.now() - answered_ms,
      sql
    })
  })
)

/** Between an answer and the next check, if answers take longer than the interval. */
const minPause_ms = 10

interface RevisionRow {
  readonly subject: FollowedSubject
  readonly revision: string
}

/** The directory needs no separate row: number and changes of the current edition are its revision, as in "7+120". */
const readRevisions = (sql: SqlClient) =>
  sql<RevisionRow>`
    SELECT subject, revision::text FROM postcode.revisions
    UNION ALL SELECT 'directory', edition || '+' || changes FROM postcode.directory_editions WHERE is_current`

/**
 * Gives a subject another revision; to be called in the transaction that changes the subject. Transactions that change the
 * same subject wait for each other from here to their commits, so it is the last statement of a change.
 */
export const raiseRevision = (sql: SqlClient, subject: Exclude<FollowedSubject, "directory">) =>
  sql`UPDATE postcode.revisions SET revision = gen_random_uuid() WHERE subject = ${subject}`

class FollowedState {
  private readonly followed: Followed
  private readonly fork: (work: Effect.Effect<void>) => void
  private readonly reload: Effect.Effect<boolean>
  /** The revision that was loaded, and the one that is being loaded. */
  private loaded: string | undefined
  private loading = ""
  private isLoading = false

  constructor(followed: Followed, fork: (work: Effect.Effect<void>) => void) {
    this.followed = followed
    this.fork = fork
    this.reload = attempting(
      followed.name,
      Effect.suspend(() => followed.reload(this.loading))
    )
  }

  take(revision: string, sent_ms: number): void {
    this.followed.onCheck?.(revision, sent_ms)
    if (revision === this.loaded || this.isLoading) return
    this.isLoading = true
    this.loading = revision
    this.fork(
      Effect.map(this.reload, (succeeded) => {
        if (succeeded) this.loaded = revision
        this.isLoading = false
      })
    )
  }
}
