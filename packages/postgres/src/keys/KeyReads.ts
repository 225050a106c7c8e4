/**
 * Reads keys by hash or by id. One statement runs at a time, and the keys requested meanwhile share the next one, so
 * that any number of requests with unknown keys uses one connection.
 */

import type { Unavailable } from "@postcode/gateway/Errors"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { Effect, Exit, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { giveUpAfter } from "../connection/AnsweredWithin.ts"
import { makeBatcher, separately } from "../connection/Batcher.ts"
import { asking, databaseUnavailable } from "../connection/Database.ts"
import { SharedValues } from "./SharedValues.ts"

/** A key that is not revoked. */
export interface StoredKey {
  readonly principal: Principal
  /** When it expires, ISO 8601; undefined for never. Expired keys are also read; the caller checks. */
  readonly expires_at: string | undefined
}

/** The result of a query for keys. */
export interface ReadKeys {
  /** When the query was sent, by `performance.now`. The result includes everything committed before. */
  readonly sent_ms: number
  /** The revision of all keys that the result belongs to; undefined if no key was found. */
  readonly revision: string | undefined
  /** By hash or id, without revoked keys. */
  readonly keys: ReadonlyMap<string, StoredKey>
}

export type KeyName = "hash" | "id"

/** Maximum number of keys per statement. */
export const maxNames = 1_000
/** How long a request waits for its key. */
const timeout_ms = 1_000
/** Maximum number of waiting requests; more are refused. */
const maxWaiting = 10_000

/** @param names at most `maxNames` hashes or ids; fails with `Unavailable` after a second */
export type Read = (names: ReadonlyArray<string>) => Effect.Effect<ReadKeys, Unavailable>

export const makeRead = (sql: SqlClient, by: KeyName): Read => {
  const { share } = new SharedValues()
  return (names) =>
    Effect.suspend(() => {
      const sent_ms = performance.now()
      const toKeys = (rows: ReadonlyArray<KeyRow>): ReadKeys => ({
        sent_ms,
        revision: rows[0]?.revision,
        keys: new Map(rows.map((row) => [row[by], toStoredKey(row, share)]))
      })
      return giveUpAfter(Effect.map(selectKeys(sql, by, names), toKeys), timeout_ms, () => databaseUnavailable)
    })
}

/** Reads single keys in batches until the scope closes; fails with `Unavailable` if too many wait. */
export const makeBatchedRead = (
  read: Read
): Effect.Effect<(name: string) => Effect.Effect<ReadKeys, Unavailable>, never, Scope.Scope> =>
  Effect.map(
    makeBatcher({
      run: separately((names: ReadonlyArray<string>) =>
        Effect.map(read([...new Set(names)]), (keys) => names.map(() => Exit.succeed(keys)))
      ),
      maxBatch: maxNames,
      maxPending: maxWaiting
    }),
    (add) => (name) => Effect.timeoutOrElse(add(name), { duration: timeout_ms, orElse: () => unavailable })
  )

const unavailable = Exit.fail(databaseUnavailable)

const selectKeys = (
  sql: SqlClient,
  by: KeyName,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<KeyRow>, Unavailable> =>
  asking(
    sql<KeyRow>`SELECT k.hash, k.id, k.chain_id, k.organization_id, k.kind, k.environment, k.scopes, k.max_level, k.origins,
        k.allowed_ips, k.rate_limit_per_minute, k.expires_at, o.granted_level,
        o.kyb_status = 'verified' AS organization_verified, o.status <> 'active' AS organization_suspended,
        o.rate_limit_per_minute AS organization_rate_limit_per_minute, r.revision::text
      FROM postcode.api_keys k
      JOIN postcode.organizations o ON o.id = k.organization_id
      JOIN postcode.revisions r ON r.subject = 'keys'
      WHERE k.${sql(by)} = ANY(${names}::text[]) AND k.revoked_at IS NULL`
  )

type KeyRow = Omit<
  Principal,
  "chain_id" | "key_id" | "organization_rate_limit_per_minute" | "rate_limit_per_minute"
> & {
  readonly hash: string
  readonly id: string
  readonly revision: string
  readonly chain_id: string | null
  readonly rate_limit_per_minute: number | null
  readonly organization_rate_limit_per_minute: number | null
  readonly expires_at: Date | null
}

type Share = SharedValues["share"]

const toStoredKey = (row: KeyRow, share: Share): StoredKey => ({
  principal: toPrincipal(row, share),
  expires_at: row.expires_at?.toISOString()
})

const toPrincipal = (row: KeyRow, share: Share): Principal =>
  Object.freeze({
    key_id: row.id,
    chain_id: row.chain_id ?? undefined,
    organization_id: share(row.organization_id),
    kind: share(row.kind),
    environment: share(row.environment),
    scopes: share(row.scopes),
    max_level: row.max_level,
    granted_level: row.granted_level,
    organization_verified: row.organization_verified,
    organization_suspended: row.organization_suspended,
    origins: share(row.origins),
    allowed_ips: share(row.allowed_ips),
    rate_limit_per_minute: row.rate_limit_per_minute ?? undefined,
    organization_rate_limit_per_minute: row.organization_rate_limit_per_minute ?? undefined
  })
