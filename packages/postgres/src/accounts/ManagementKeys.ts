/**
 * Management keys on PostgreSQL. Calls with them are few, so each reads its key from the database, and a revocation
 * needs no other mechanism.
 */
import type { Maker } from "@postcode/gateway/accounts/Account"
import {
  type ManagementKey,
  maxManagementKeys,
  tooManyManagementKeys,
  useInterval_ms
} from "@postcode/gateway/accounts/managementKeys/ManagementKey"
import { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import { notFound } from "@postcode/gateway/Errors"
import { type OrganizationStatus, organizationClosed } from "@postcode/gateway/organizations/Organization"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { isStorable } from "../connection/StorableText.ts"
import { requireOrganization } from "../organizations/Organizations.ts"
import { lockMaker } from "./lockMaker.ts"

/** The port `ManagementKeys`. */
export const layerManagementKeys: Layer.Layer<ManagementKeys, never, SqlClient> = Layer.effect(
  ManagementKeys,
  Effect.map(SqlClient, (sql) =>
    ManagementKeys.of({
      create: (key, hash, maker) => Effect.asVoid(asking(inTransaction(sql, insert(sql, key, hash, maker, false)))),
      replace: (key, hash, maker) => asking(inTransaction(sql, insert(sql, key, hash, maker, true))),
      findByHash: (hash, now) => asking(use(sql, hash, now)),
      get: (id) => asking(find(sql, id)),
      list: (organization_id, page) =>
        Effect.gen(function* () {
          const before = yield* numberBefore(page)
          const rows = yield* sql<Row>`SELECT ${columns(sql)} FROM postcode.management_keys
            WHERE organization_id = ${organization_id} AND number < ${before}
            ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
          if (rows.length === 0) yield* requireOrganization(sql, organization_id)
          return pageOf(rows, page, toRecord)
        }).pipe(asking),
      revoke: (id, revoked_at) =>
        Effect.gen(function* () {
          const { organization_id } = yield* find(sql, id)
          const [revoked] = yield* sql<Row>`UPDATE postcode.management_keys SET revoked_at = ${revoked_at}
            WHERE organization_id = ${organization_id} AND id = ${id} AND revoked_at IS NULL RETURNING ${columns(sql)}`
          if (revoked !== undefined) return { record: toRecord(revoked), repeated: false }
          return { record: yield* find(sql, id), repeated: true }
        }).pipe(asking),
      revokeAll: (organization_id, revoked_at) =>
        asking(
          Effect.map(
            sql`UPDATE postcode.management_keys SET revoked_at = ${revoked_at}
              WHERE organization_id = ${organization_id} AND revoked_at IS NULL RETURNING 1`,
            ({ length }) => length
          )
        ),
      revokeCreatedBy: (account_id, organization_id, keptRoles, revoked_at) =>
        asking(
          Effect.map(
            sql<Row>`UPDATE postcode.management_keys SET revoked_at = ${revoked_at}
              WHERE created_by = ${account_id} AND revoked_at IS NULL AND role <> ALL(${[...keptRoles]}::text[])
                AND ${organization_id === undefined ? sql.literal("true") : sql`organization_id = ${organization_id}`}
              RETURNING ${columns(sql)}`,
            (rows) => rows.map(toRecord)
          )
        )
    })
  )
)

/**
 * Counts the active keys after the organization's lock, so that concurrent transactions cannot exceed the maximum.
 *
 * @param isReplacement whether the active keys with its name and creator are revoked, and returned
 */
const insert = Effect.fnUntraced(function* (
  sql: SqlClient,
  key: ManagementKey,
  hash: string,
  maker: Maker | undefined,
  isReplacement: boolean
) {
  if (maker !== undefined) yield* lockMaker(sql, maker)
  const { allowed_ips, created_at, created_by, expires_at = null, id, name, organization_id, prefix, role } = key
  const [organization] = yield* sql<{ readonly status: OrganizationStatus }>`
    SELECT status FROM postcode.organizations WHERE id = ${organization_id} FOR NO KEY UPDATE`
  if (organization === undefined) return yield* notFound("organization")
  if (organization.status === "closed") return yield* organizationClosed
  const isActive = sql`organization_id = ${organization_id} AND created_by = ${created_by} AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > ${created_at}::timestamptz)`
  const replaced = isReplacement
    ? yield* sql<Row>`UPDATE postcode.management_keys SET revoked_at = ${created_at}
        WHERE ${isActive} AND name = ${name} RETURNING ${columns(sql)}`
    : []
  const active = yield* sql`SELECT FROM postcode.management_keys WHERE ${isActive} LIMIT ${maxManagementKeys}`
  if (active.length >= maxManagementKeys) return yield* tooManyManagementKeys
  yield* sql`INSERT INTO postcode.management_keys
    (organization_id, id, number, hash, name, role, prefix, created_by, allowed_ips, created_at, expires_at)
    VALUES (${organization_id}, ${id}, ${newRowNumber()}, ${hash}, ${name}, ${role}, ${prefix}, ${created_by},
      ${[...allowed_ips]}::text[], ${created_at}, ${expires_at}::timestamptz)`
  return replaced.map(toRecord)
})

/** The time of a use is written at most once per interval, so that a busy key costs few writes. */
const use = Effect.fnUntraced(function* (sql: SqlClient, hash: string, now: string) {
  const [row] = yield* sql<Row>`SELECT ${columns(sql)} FROM postcode.management_keys
    WHERE hash = ${hash} AND revoked_at IS NULL`
  if (row === undefined) return undefined
  if (row.expires_at !== null && row.expires_at <= new Date(now)) return toRecord(row)
  const written_before = new Date(Date.parse(now) - useInterval_ms)
  if (row.last_used_at !== null && row.last_used_at > written_before) return toRecord(row)
  // Undefined if it was revoked meanwhile.
  const [used] =
    yield* sql<Row>`UPDATE postcode.management_keys SET last_used_at = greatest(last_used_at, ${now}::timestamptz)
    WHERE organization_id = ${row.organization_id} AND id = ${row.id} AND revoked_at IS NULL
    RETURNING ${columns(sql)}`
  return used && toRecord(used)
})

const find = Effect.fnUntraced(function* (sql: SqlClient, id: string) {
  if (!isStorable(id)) return yield* notFound("management key")
  const [row] = yield* sql<Row>`SELECT ${columns(sql)} FROM postcode.management_keys WHERE id = ${id}`
  return row === undefined ? yield* notFound("management key") : toRecord(row)
})

type Row = Omit<ManagementKey, "created_at" | "expires_at" | "last_used_at" | "revoked_at"> & {
  readonly number: bigint
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const columns = (sql: SqlClient) =>
  sql.literal(
    "organization_id, id, number, name, role, prefix, created_by, allowed_ips, created_at, last_used_at, expires_at, revoked_at"
  )

const toRecord = (row: Row): ManagementKey => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  role: row.role,
  prefix: row.prefix,
  created_by: row.created_by,
  allowed_ips: row.allowed_ips,
  created_at: row.created_at.toISOString(),
  ...(row.last_used_at !== null && { last_used_at: row.last_used_at.toISOString() }),
  ...(row.expires_at !== null && { expires_at: row.expires_at.toISOString() }),
  ...(row.revoked_at !== null && { revoked_at: row.revoked_at.toISOString() })
})
