/**
 * Rate limits that all replicas share: permits are lent to replicas, so most requests ask nobody. While the database is
 * away, each replica holds the limits by its own count.
 */
import { PgClient } from "@effect/sql-pg"
import { RateLimiter } from "@postcode/core/limits/RateLimiter"
import { Secrets } from "@postcode/core/store/Secrets"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { reasonOf } from "../connection/reasonOf.ts"
import { PermitLeases } from "./PermitLeases.ts"
import { PermitConnection } from "./PermitQuestions.ts"

/** How much a process remembers, and how long it waits. */
export interface RateLimiterOptions {
  /**
   * How many API keys with organizations are remembered at most, and how many addresses: 50,000 of each by default. Each
   * takes up to 1,000 bytes. The database counts those that were forgotten.
   */
  readonly maximumSubjects?: number
  /** How long a request waits for the database, in milliseconds; 250 unless told. */
  readonly patience_ms?: number
}

/**
 * Subjects go to the database as hashes under the pepper: an address is personal data, and there are so few that a bare
 * hash would tell it.
 */
export const layerRateLimiter = ({
  maximumSubjects = 50_000,
  patience_ms = 250
}: RateLimiterOptions = {}): Layer.Layer<RateLimiter, never, PgClient.PgClient | Secrets> =>
  Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const { url = Redacted.make("") } = (yield* PgClient.PgClient).config
      const { hashIdentifier } = yield* Secrets
      const runFork = Effect.runForkWith(yield* Effect.context())
      const connection = yield* Effect.acquireRelease(
        Effect.sync(() => new PermitConnection(Redacted.value(url))),
        (connection) => Effect.sync(() => connection.close())
      )
      const leases = new PermitLeases({
        source: connection,
        now_ms: () => performance.now(),
        nameOf: (subject) => hashIdentifier(Redacted.make(subject)),
        patience_ms,
        maximumSubjects,
        onAway: (cause) =>
          runFork(
            Effect.logWarning(
              `each replica counts rate limits by itself until the database answers again: ${reasonOf(cause)}`
            )
          )
      })
      // So that the first request need not wait for a connection.
      yield* Effect.ignore(Effect.tryPromise(() => connection.ask([])))
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.tryPromise(() => leases.giveBack())))
      yield* Effect.acquireRelease(
        Effect.sync(() => setInterval(() => leases.settle(), settleInterval_ms)),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
      return RateLimiter.of({ take: (subject, limit, cost) => leases.take(subject, limit, cost) })
    })
  )

const settleInterval_ms = 500

/**
 * Removes what has left every window, a few at a time, and answers how many subjects that were. The rows go where they
 * lie in the table, so nobody waits long for one of them, however many there are.
 */
export const removeIdleRateWindows: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  let removed = 0
  for (let page = 0; ; page += pagesAtATime) {
    const [row] = yield* sql<{ readonly removed: number; readonly ended: boolean }>`WITH removed AS (
        DELETE FROM postcode.rate_windows WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM postcode.rate_windows
          WHERE ctid >= ${`(${page},0)`}::text::tid AND ctid < ${`(${page + pagesAtATime},0)`}::text::tid
            AND coalesce(times_ms[cardinality(times_ms)], 0) < extract(epoch FROM clock_timestamp()) * 1000 - 80000
          FOR UPDATE SKIP LOCKED
        )) RETURNING 1
      ) SELECT count(*)::integer AS removed,
          pg_relation_size('postcode.rate_windows') <= ${page + pagesAtATime}::bigint * current_setting('block_size')::bigint
            AS ended
        FROM removed`
    removed += row?.removed ?? 0
    if (row === undefined || row.ended) return removed
  }
})

/** Some thousand rows. */
const pagesAtATime = 200
