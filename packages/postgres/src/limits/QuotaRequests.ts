/** What a replica reports of its quota and requests from the database, for many subjects in one statement. */
import { PgClient } from "@effect/sql-pg"
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
  /** Requests that are expected. */
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

/** Sends requests to the database. `now_ms` replaces its clock in tests. */
export const drawQuota = (sql: SqlClient.SqlClient, requests: ReadonlyArray<QuotaRequest>, now_ms: number | null) =>
  sql<QuotaAnswer>`SELECT answer.*
    FROM (SELECT * FROM jsonb_array_elements(${JSON.stringify(requests)}::text::jsonb) WITH ORDINALITY AS asked (request, number)
      ORDER BY request ->> 'subject' COLLATE "C") AS asked,
      postcode.draw_quota(coalesce(${now_ms}::float8, extract(epoch FROM clock_timestamp()) * 1000), request) AS answer
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
