/** What a replica reports of its quota and requests from the database, for many subjects in one statement. */
import { PgClient } from "@effect/sql-pg"
import { window_s } from "@postcode/gateway/limits/RateLimiter"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { layerDatabase } from "../connection/Database.ts"

/** Times are in milliseconds. */
export interface QuotaRequest {
  /** The subject's hash. */
  readonly subject: string
  /** The limit. */
  readonly quota: number
  /** Requests that wait. */
  readonly need: number
  /** Requests that are expected, at most `maxExtra`. */
  readonly extra: number
  /** The allowance that ends: the end that the database returned, and its size. */
  readonly ended_ms: number
  readonly granted: number
  /** Requests allowed since the last report, and the age of the last of them. */
  readonly used: number
  readonly age_ms: number
}

export interface QuotaAnswer {
  readonly granted: number
  /** Requests in the window, with all that is granted. */
  readonly total: number
  /** Identifies the allowance: its end by the database's clock. */
  readonly end_ms: number
  /** Time until fewer requests than the limit are in the window; 0 if it is so now. */
  readonly opens_ms: number
  /** Time until the requests of before have left the window. */
  readonly reset_ms: number
}

/** Answers in the order of the requests; fails if no answer arrives in time. */
export type QuotaSource = (requests: ReadonlyArray<QuotaRequest>) => Promise<ReadonlyArray<QuotaAnswer>>

/** How long a replica uses an allowance. */
export const usable_ms = 5_000
/** How long the database waits for the report of an allowance, and counts it meanwhile: a second more for the way. */
const counted_ms = usable_ms + 1_000
/** Requests within this time are one entry, counted from the last of them. */
const slot_ms = 500
/** How far in the future an entry may be, if the database's clock was set back. */
export const ahead_ms = 20_000
/** The share of what is left of a limit that is granted for expected requests. */
const share = 0.1
/** The most of a limit that is granted for expected requests, whatever is left: what a replica that dies can waste. */
const maxShare = 0.05

/** The most expected requests to ask for under a limit. */
export const maxExtra = (limit: number): number => Math.floor(limit * maxShare)

/** Sends requests to the database. `now_ms` replaces its clock in tests. */
export const drawQuota = (sql: SqlClient.SqlClient, requests: ReadonlyArray<QuotaRequest>, now_ms: number | null) =>
  sql<QuotaAnswer>`SELECT answer.*
    FROM (SELECT * FROM jsonb_array_elements(${JSON.stringify(requests)}::text::jsonb) WITH ORDINALITY AS asked (request, number)
      ORDER BY request ->> 'subject' COLLATE "C") AS asked,
      postcode.draw_quota(coalesce(${now_ms}::float8, extract(epoch FROM clock_timestamp()) * 1000),
        ${1_000 * window_s}::float8, ${slot_ms}::float8, ${counted_ms}::float8, ${ahead_ms}::float8, ${share}::float8,
        request) AS answer
    ORDER BY number`

/** On a separate connection, so that paid requests do not delay it. */
export const makeQuotaSource: Effect.Effect<QuotaSource, SqlError, PgClient.PgClient | Scope.Scope> = Effect.gen(
  function* () {
    const url = (yield* PgClient.PgClient).config.url ?? Redacted.make("")
    const connection = layerDatabase({ url, maxConnections: 1, applicationName: "postcode-gateway limits" })
    const sql = Context.get(yield* Layer.build(Layer.fresh(connection)), SqlClient.SqlClient)
    return (requests) => Effect.runPromise(answeredOrBroken(drawQuota(sql, requests, null), timeout_ms))
  }
)

const timeout_ms = 1_000
