/**
 * API keys on PostgreSQL. Requests are authenticated by copies, see `KeyCopies`: a free request needs no query, and a
 * revoked key is refused on every replica within 600 ms: a copy is valid for 500 ms, and a request may be under way. A
 * copy contains the expiry of its key.
 */

import { hasExpired } from "@postcode/core/Credits"
import { type Conflict, type InvalidApiKey, keyExpired, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  type ApiKeyRecord,
  maxActiveKeys,
  type Principal,
  patchKey,
  replacementConflict,
  tooManyKeys
} from "@postcode/gateway/keys/ApiKey"
import { ApiKeys, maxTakenKeys } from "@postcode/gateway/keys/ApiKeys"
import { type OrganizationStatus, organizationClosed } from "@postcode/gateway/organizations/Organization"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { asking, inTransaction } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { isStorable } from "../connection/StorableText.ts"
import { requireOrganization } from "../organizations/Organizations.ts"
import { changeKeys } from "./changeKeys.ts"
import { type CopiesByName, KeyCopies, type KeyCopy } from "./KeyCopies.ts"
import { type LastUses, makeLastUses } from "./LastUses.ts"

/** The port `ApiKeys`. It fails with `Unavailable` if the database is unavailable and the key has no valid copy. */
export const layerApiKeys: Layer.Layer<ApiKeys, never, KeyCopies | SqlClient> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const copies = yield* KeyCopies
    const uses = yield* makeLastUses(sql)
    const findByHash = makeFind(copies.by.hash, uses)
    const findById = makeFind(copies.by.id, uses)

    const create: Service["create"] = (key, hash) => asking(inTransaction(sql, insertKey(sql, key, hash)))

    const get: Service["get"] = (id) =>
      Effect.gen(function* () {
        if (!isStorable(id)) return yield* notFound("key")
        const [row] = yield* sql<ListedRow>`
          SELECT ${keyColumns(sql)}, ${creditsToday(sql)} FROM postcode.api_keys k WHERE id = ${id}`
        return row === undefined ? yield* notFound("key") : toListedRecord(row, uses)
      }).pipe(asking)

    const list: Service["list"] = (organization_id, page) =>
      Effect.gen(function* () {
        const before = yield* numberBefore(page)
        const rows = yield* sql<ListedRow>`SELECT ${keyColumns(sql)}, ${creditsToday(sql)} FROM postcode.api_keys k
          WHERE organization_id = ${organization_id} AND number < ${before}
          ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
        if (rows.length === 0) yield* requireOrganization(sql, organization_id)
        return pageOf(rows, page, (row) => toListedRecord(row, uses))
      }).pipe(asking)

    const update: Service["update"] = (id, patch, at) =>
      Effect.gen(function* () {
        const { organization_id } = yield* readKey(sql, id)
        const change = Effect.gen(function* () {
          // Read after the lock, so that concurrent changes of different fields are all kept.
          const patched = yield* Effect.fromResult(patchKey(toRecord(yield* readKey(sql, id)), patch, at))
          if (patched.changed.length === 0) return undefined
          const { allowed_ips, daily_credit_limit = null, name, origins, rate_limit_per_minute = null } = patched.record
          yield* sql`UPDATE postcode.api_keys
            SET name = ${name}, origins = ${origins}::text[], allowed_ips = ${allowed_ips}::text[],
              rate_limit_per_minute = ${rate_limit_per_minute}::integer, daily_credit_limit = ${daily_credit_limit}::integer
            WHERE organization_id = ${organization_id} AND id = ${id}`
          return patched
        })
        const patched = yield* changeKeys(sql, copies, organization_id, change)
        return patched ?? { record: toRecord(yield* readKey(sql, id)), changed: [] }
      }).pipe(asking)

    const rotate: Service["rotate"] = ({ at, expires_at, hash, id, revoked_at = null, successor }) =>
      Effect.gen(function* () {
        const { organization_id } = yield* readKey(sql, id)
        const change = Effect.gen(function* () {
          // Read after the lock, so that the second of two concurrent rotations sees the first one's successor.
          const conflict = replacementConflict(toRecord(yield* readKey(sql, id)), at, successor)
          if (conflict !== undefined) return yield* conflict
          // Before the insert, so that a key that ends at once is not counted in the maximum of active keys.
          yield* sql`UPDATE postcode.api_keys
            SET expires_at = ${expires_at}::timestamptz, revoked_at = ${revoked_at}::timestamptz, replaced_by = ${successor.id}
            WHERE organization_id = ${organization_id} AND id = ${id}`
          yield* insertKey(sql, successor, hash)
          return toRecord(yield* readKey(sql, id))
        })
        return yield* changeKeys(sql, copies, organization_id, change)
      }).pipe(asking)

    const revoke: Service["revoke"] = (id, revoked_at) =>
      Effect.gen(function* () {
        const { organization_id } = yield* readKey(sql, id)
        const change = Effect.map(
          sql<KeyRow>`UPDATE postcode.api_keys SET revoked_at = ${revoked_at}
            WHERE organization_id = ${organization_id} AND id = ${id} AND revoked_at IS NULL RETURNING ${keyColumns(sql)}`,
          ([row]) => row
        )
        const revoked = yield* changeKeys(sql, copies, organization_id, change)
        if (revoked !== undefined) return { record: toRecord(revoked), repeated: false }
        return { record: toRecord(yield* readKey(sql, id)), repeated: true }
      }).pipe(asking)

    const takeExpiring: Service["takeExpiring"] = (now, notice_ms) =>
      Effect.map(asking(reportExpiring(sql, now, notice_ms)), (rows) =>
        rows.map(toRecord).sort((a, b) => ((a.expires_at ?? "") < (b.expires_at ?? "") ? -1 : 1))
      )

    return ApiKeys.of({ create, findByHash, findById, get, list, update, rotate, takeExpiring, revoke })
  })
)

type Service = ApiKeys["Service"]

/**
 * The rule is `isExpiring` of core. The keys of each organization are marked by one statement, always in the same order.
 * A key that another process has marked meanwhile is not returned.
 */
const reportExpiring = Effect.fnUntraced(function* (sql: SqlClient, now: string, notice_ms: number) {
  const notice = sql`${notice_ms}::float8 * interval '1 millisecond'`
  const isExpiring = sql`revoked_at IS NULL AND replaced_by IS NULL AND NOT expiry_reported
    AND expires_at > ${now}::timestamptz AND expires_at <= ${now}::timestamptz + ${notice}
    AND expires_at > created_at + ${notice}`
  const found = yield* sql<{ readonly organization_id: string; readonly id: string }>`
    SELECT organization_id, id FROM postcode.api_keys WHERE ${isExpiring}
    ORDER BY expires_at LIMIT ${maxTakenKeys}::integer`
  const taken: Array<KeyRow> = []
  for (const organization_id of [...new Set(found.map((key) => key.organization_id))].sort()) {
    const ids = found.filter((key) => key.organization_id === organization_id).map(({ id }) => id)
    taken.push(
      ...(yield* sql<KeyRow>`UPDATE postcode.api_keys SET expiry_reported = true
        WHERE organization_id = ${organization_id} AND id = ANY(${ids}::text[]) AND ${isExpiring}
        RETURNING ${keyColumns(sql)}`)
    )
  }
  return taken
})

const makeFind = (copies: CopiesByName, uses: LastUses): Service["findByHash"] => {
  const answer = (copy: KeyCopy, now: string): Exit.Exit<Principal, InvalidApiKey> => {
    if (hasExpired(copy.expires_at, now)) return expired
    copy.use ??= uses.of(copy.answer.value)
    uses.mark(copy.use, now)
    return copy.answer
  }

  return (name, now) => {
    const copy = copies.get(name)
    if (copy !== undefined) return answer(copy, now)
    return Effect.flatMap(copies.read(name), (copy) => (copy === undefined ? nobody : answer(copy, now)))
  }
}

const expired = Exit.fail(keyExpired)
const nobody = Exit.succeed(undefined)

type PresentField =
  | "allowed_ips"
  | "environment"
  | "id"
  | "kind"
  | "max_level"
  | "name"
  | "organization_id"
  | "origins"
  | "prefix"
  | "scopes"

type KeyRow = Pick<ApiKeyRecord, PresentField> & {
  readonly number: bigint
  readonly rate_limit_per_minute: number | null
  readonly daily_credit_limit: number | null
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly replaces: string | null
  readonly replaced_by: string | null
  readonly chain_id: string | null
}

type ListedRow = KeyRow & { readonly credits_today: number | null }

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const keyColumns = (sql: SqlClient) =>
  sql.literal(
    "organization_id, id, number, name, kind, environment, scopes, max_level, origins, allowed_ips, rate_limit_per_minute, daily_credit_limit, prefix, created_at, last_used_at, expires_at, revoked_at, replaces, replaced_by, chain_id"
  )

/** The credits that the chain of a key `k` with a daily limit has charged today, by the database's clock, as the limit. */
const creditsToday = (sql: SqlClient) =>
  sql.literal(`CASE WHEN k.daily_credit_limit IS NOT NULL THEN coalesce((
      SELECT d.charged FROM postcode.key_days d
      WHERE d.organization_id = k.organization_id AND d.chain_id = coalesce(k.chain_id, k.id)
        AND d.day = (now() AT TIME ZONE 'UTC')::date
    ), 0)::float8 END AS credits_today`)

const readKey = (sql: SqlClient, id: string): Effect.Effect<KeyRow, NotFound | SqlError> =>
  Effect.flatMap(sql<KeyRow>`SELECT ${keyColumns(sql)} FROM postcode.api_keys WHERE id = ${id}`, ([row]) =>
    row === undefined ? Effect.fail(notFound("key")) : Effect.succeed(row)
  )

/** Counts the active keys after the organization's lock, so that concurrent transactions cannot exceed the maximum. */
const insertKey = Effect.fnUntraced(function* (
  sql: SqlClient,
  key: ApiKeyRecord,
  hash: string
): Effect.fn.Return<void, Conflict | NotFound | SqlError> {
  const [organization] = yield* sql<{ readonly status: OrganizationStatus }>`
    SELECT status FROM postcode.organizations WHERE id = ${key.organization_id} FOR NO KEY UPDATE`
  if (organization?.status === "closed") return yield* organizationClosed
  const [active] = yield* sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM postcode.api_keys
    WHERE organization_id = ${key.organization_id} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${key.created_at}::timestamptz)`
  if (active !== undefined && active.count >= maxActiveKeys) return yield* tooManyKeys
  const { length } =
    yield* sql`INSERT INTO postcode.api_keys (organization_id, id, number, hash, name, kind, environment, scopes,
      max_level, origins, allowed_ips, rate_limit_per_minute, daily_credit_limit, prefix, created_at, expires_at, replaces,
      chain_id)
    SELECT o.id, ${key.id}, ${newRowNumber()}::bigint, ${hash}, ${key.name}, ${key.kind}, ${key.environment}, ${key.scopes}::text[],
      ${key.max_level}::smallint, ${key.origins}::text[], ${key.allowed_ips}::text[], ${key.rate_limit_per_minute ?? null}::integer,
      ${key.daily_credit_limit ?? null}::integer, ${key.prefix}, ${key.created_at}::timestamptz,
      ${key.expires_at ?? null}::timestamptz, ${key.replaces ?? null}, ${key.chain_id ?? null}
    FROM postcode.organizations o WHERE o.id = ${key.organization_id} RETURNING id`
  if (length === 0) return yield* notFound("organization")
})

/** With the uses at this replica, which may not be written yet. */
const toListedRecord = (row: ListedRow, uses: LastUses): ApiKeyRecord => {
  const record = toRecord(row)
  const { last_used_at = "" } = record
  const here = uses.lastOf(row.id) ?? ""
  return {
    ...record,
    ...(here > last_used_at && { last_used_at: here }),
    ...(row.credits_today !== null && { credits_today: row.credits_today })
  }
}

const toRecord = (row: KeyRow): ApiKeyRecord => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  kind: row.kind,
  environment: row.environment,
  scopes: row.scopes,
  max_level: row.max_level,
  origins: row.origins,
  allowed_ips: row.allowed_ips,
  ...(row.rate_limit_per_minute !== null && { rate_limit_per_minute: row.rate_limit_per_minute }),
  ...(row.daily_credit_limit !== null && { daily_credit_limit: row.daily_credit_limit }),
  prefix: row.prefix,
  created_at: row.created_at.toISOString(),
  ...(row.last_used_at !== null && { last_used_at: row.last_used_at.toISOString() }),
  ...(row.expires_at !== null && { expires_at: row.expires_at.toISOString() }),
  ...(row.revoked_at !== null && { revoked_at: row.revoked_at.toISOString() }),
  ...(row.replaces !== null && { replaces: row.replaces }),
  ...(row.replaced_by !== null && { replaced_by: row.replaced_by }),
  ...(row.chain_id !== null && { chain_id: row.chain_id })
})
