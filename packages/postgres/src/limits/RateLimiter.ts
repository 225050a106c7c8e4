/**
 * Rate limits that all replicas share. Replicas draw quota from the database in advance, so most requests need no
 * query. While the database is unavailable, each replica counts alone.
 */
import type { PgClient } from "@effect/sql-pg"
import { RateLimiter, window_s } from "@postcode/gateway/limits/RateLimiter"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { reasonOf } from "../connection/reasonOf.ts"
import { ahead_ms, makeQuotaSource } from "./QuotaRequests.ts"
import { Quotas } from "./Quotas.ts"

/** The bounds of a rate limiter. */
export interface RateLimiterOptions {
  /**
   * Maximum number of API keys and organizations in memory, and of addresses and identifiers: 50,000 each by default,
   * up to 1,000 bytes each. The database counts the others.
   */
  readonly maxSubjects?: number
  /** How long a request waits for the database, in milliseconds; 250 by default. */
  readonly timeout_ms?: number
}

/**
 * The database receives subjects as HMACs under the pepper: addresses are personal data, and few enough to find one
 * from its plain hash.
 */
export const layerRateLimiter = ({
  maxSubjects = 50_000,
  timeout_ms = 250
}: RateLimiterOptions = {}): Layer.Layer<RateLimiter, SqlError, PgClient.PgClient | Secrets> =>
  Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const { hashIdentifier } = yield* Secrets
      const runFork = Effect.runForkWith(yield* Effect.context())
      const source = yield* makeQuotaSource
      const quotas = new Quotas({
        source,
        now_ms: () => performance.now(),
        nameOf: (subject) => hashIdentifier(Redacted.make(subject)),
        timeout_ms,
        maxSubjects,
        onUnavailable: (cause) =>
          runFork(
            Effect.logWarning(`each replica counts rate limits alone until the database answers: ${reasonOf(cause)}`)
          )
      })
      // Connects before the first request.
      yield* Effect.ignore(Effect.tryPromise(() => source([])))
      yield* Effect.addFinalizer(() => Effect.promise(() => quotas.release()))
      yield* Effect.acquireRelease(
        Effect.sync(() => setInterval(() => quotas.settle(), settleInterval_ms)),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
      return RateLimiter.of({
        take: (subject, limit, cost) => quotas.take(subject, limit, cost),
        takeAll: (limits, cost) => quotas.takeAll(limits, cost)
      })
    })
  )

const settleInterval_ms = 500

/**
 * Deletes subjects without requests in the window and returns their number. Each statement deletes from a fixed number
 * of pages, so that it holds row locks only briefly, whatever the size of the table.
 */
export const removeIdleRateWindows: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  let removed = 0
  for (let page = 0; ; page += pagesPerStatement) {
    const [row] = yield* sql<{ readonly removed: number; readonly ended: boolean }>`WITH removed AS (
        DELETE FROM postcode.rate_windows WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM postcode.rate_windows
          WHERE ctid >= ${`(${page},0)`}::text::tid AND ctid < ${`(${page + pagesPerStatement},0)`}::text::tid
            AND coalesce(times_ms[cardinality(times_ms)], 0) < extract(epoch FROM clock_timestamp()) * 1000 - ${1_000 * window_s + ahead_ms}::float8
          FOR UPDATE SKIP LOCKED
        )) RETURNING 1
      ) SELECT count(*)::integer AS removed,
          pg_relation_size('postcode.rate_windows') <= ${page + pagesPerStatement}::bigint * current_setting('block_size')::bigint
            AS ended
        FROM removed`
    removed += row?.removed ?? 0
    if (row === undefined || row.ended) return removed
  }
})

/** Several thousand rows. */
const pagesPerStatement = 200
