/** Organizations on PostgreSQL. */

import { type Conflict, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  type KybSubmission,
  kybSubmitted,
  type Organization,
  type StatusChange,
  searchableName,
  statusConflict
} from "@postcode/gateway/organizations/Organization"
import { Organizations, type StatusChanged } from "@postcode/gateway/organizations/Organizations"
import { emptyPage, type PageRequest } from "@postcode/gateway/Page"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { asking, inTransaction } from "../connection/Database.ts"
import { inAskedOrder, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { textArray } from "../connection/SqlArrays.ts"
import { isStorable } from "../connection/StorableText.ts"
import { openAccounts } from "../credits/CreditAccounts.ts"
import { changeKeys } from "../keys/changeKeys.ts"
import { KeyCopies } from "../keys/KeyCopies.ts"
import { namePartsOf, partsToFind } from "./nameParts.ts"
import { listClosing, takeUnused } from "./unusedOrganizations.ts"

/** The port `Organizations`. */
export const layerOrganizations: Layer.Layer<Organizations, never, KeyCopies | SqlClient> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const copies = yield* KeyCopies
    return Organizations.of({
      create: (organization, opening) => asking(inTransaction(sql, create(sql, organization, opening))),
      get: (id) => asking(get(sql, id)),
      list: (filter, page) => asking(list(sql, filter, page)),
      update: (id, changes) => asking(update(sql, copies, id, changes)),
      changeStatus: (id, change) => asking(changeStatus(sql, copies, id, change)),
      submitKyb: (id, submission) => asking(submitKyb(sql, id, submission)),
      takeUnused: (now, rule) => asking(inTransaction(sql, takeUnused(sql, now, rule))),
      listClosing: (now) => asking(listClosing(sql, now))
    })
  })
)

type Parameter<Name extends keyof Service> = Parameters<Service[Name]>

const create = (sql: SqlClient, organization: Parameter<"create">[0], opening: Parameter<"create">[1]) => {
  const { created_at, granted_level, id, kyb_status, kyb_submission = null, name, review_note = null } = organization
  const { rate_limit_per_minute = null, status, status_changed_at = null, status_reason = null } = organization
  const verified_name = kyb_status === "verified" ? (organization.verified_name ?? name) : null
  return Effect.andThen(
    sql`INSERT INTO postcode.organizations
        (id, number, name, name_parts, granted_level, kyb_status, status, status_reason, status_changed_at,
          kyb_submission, review_note, verified_name, rate_limit_per_minute, created_at)
      VALUES (${id}, ${newRowNumber()}, ${name}, ${textArray(namePartsOf(name))}, ${granted_level}, ${kyb_status},
        ${status}, ${status_reason}, ${status_changed_at}::timestamptz, ${submissionText(kyb_submission)}::json,
        ${review_note}, ${verified_name}, ${rate_limit_per_minute}::integer, ${created_at})`,
    openAccounts(sql, id, opening)
  )
}

const get = (sql: SqlClient, id: string) =>
  found(
    Effect.map(
      sql<OrganizationRow>`SELECT ${organizationColumns(sql)} FROM postcode.organizations WHERE id = ${id}`,
      ([row]) => row
    )
  )

const list = Effect.fnUntraced(function* (
  sql: SqlClient,
  { kyb_status, name = "", status }: Parameter<"list">[0],
  page: PageRequest
) {
  const { condition, sorted } = yield* inAskedOrder(sql, page)
  if (!isStorable(name)) return emptyPage
  const filters = [
    ...(kyb_status === undefined ? [] : [sql`kyb_status = ${kyb_status}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`])
  ]
  const read = (table: Fragment, conditions: ReadonlyArray<Fragment>) =>
    sql<OrganizationRow>`SELECT ${organizationColumns(sql)} FROM ${table} AS o
      WHERE ${sql.and(conditions)} ${sorted} LIMIT ${rowsOfPage(page)}`
  const searched = searchableName(name)
  if (searched === "") {
    return pageOf(yield* read(sql`postcode.organizations`, [condition, ...filters]), page, toOrganization)
  }
  // A common text is found in the next rows of the list, and a rare one by its parts. `OFFSET 0` keeps the planner from
  // reading the list for a rare text.
  const isFound = sql`position(${searched} in searchable_name) > 0`
  const next = sql`(SELECT * FROM postcode.organizations WHERE ${condition} ${sorted} LIMIT ${readFirst}::integer)`
  const common = yield* read(next, [isFound, ...filters])
  if (common.length === rowsOfPage(page)) return pageOf(common, page, toOrganization)
  const byParts = sql`(SELECT * FROM postcode.organizations
    WHERE name_parts @> ${textArray(partsToFind(name))} AND ${isFound} OFFSET 0)`
  return pageOf(yield* read(byParts, [condition, ...filters]), page, toOrganization)
})

/** The number of rows of the list that a search by name reads before it uses the index of parts. */
const readFirst = 2_000

/** Keys depend on the grant, the verification and the rate limit, so changing these drops copies of keys. */
const update = (
  sql: SqlClient,
  copies: KeyCopies["Service"],
  id: string,
  { granted_level, kyb_status, name, rate_limit_per_minute, review_note }: Parameter<"update">[1]
) => {
  const change = sql<OrganizationRow>`UPDATE postcode.organizations SET
    name = coalesce(${name ?? null}, name),
    name_parts = coalesce(${name === undefined ? null : textArray(namePartsOf(name))}::text[], name_parts),
    granted_level = coalesce(${granted_level ?? null}, granted_level),
    kyb_status = coalesce(${kyb_status ?? null}, kyb_status),
    verified_name = CASE WHEN ${kyb_status === undefined}::boolean THEN verified_name
      WHEN ${kyb_status === "verified"}::boolean THEN coalesce(${name ?? null}, name) END,
    review_note = coalesce(${review_note ?? null}, review_note),
    rate_limit_per_minute = CASE WHEN ${rate_limit_per_minute === undefined}::boolean THEN rate_limit_per_minute
      ELSE ${rate_limit_per_minute ?? null}::integer END
    WHERE id = ${id} RETURNING ${organizationColumns(sql)}`.pipe(Effect.map(([row]) => row))
  const isOfKeys = granted_level !== undefined || kyb_status !== undefined || rate_limit_per_minute !== undefined
  return found(isOfKeys ? changeKeys(sql, copies, id, change) : change)
}

/** The lock of the accounts comes first, see `changeKeys`, so the status does not change after it was read. */
const changeStatus = (
  sql: SqlClient,
  copies: KeyCopies["Service"],
  id: string,
  { status, status_changed_at, status_reason }: StatusChange
) => {
  const change = Effect.gen(function* (): Effect.fn.Return<StatusChanged | undefined, Conflict | NotFound | SqlError> {
    const organization = yield* get(sql, id)
    const conflict = statusConflict(organization.status, status)
    if (conflict !== undefined) return yield* conflict
    if (organization.status === status) return undefined
    // Before the keys: a key that is created at the same time is either revoked here or sees the new status.
    const changed = yield* found(
      Effect.map(
        sql<OrganizationRow>`UPDATE postcode.organizations
          SET status = ${status}, status_reason = ${status_reason}, status_changed_at = ${status_changed_at}
          WHERE id = ${id} RETURNING ${organizationColumns(sql)}`,
        ([row]) => row
      )
    )
    if (status !== "closed") return { organization: changed, repeated: false, revoked_keys: 0 }
    const revoked = yield* sql`UPDATE postcode.api_keys SET revoked_at = ${status_changed_at}
      WHERE organization_id = ${id} AND revoked_at IS NULL RETURNING 1`
    return { organization: changed, repeated: false, revoked_keys: revoked.length }
  })
  return Effect.flatMap(changeKeys(sql, copies, id, change), (changed) =>
    changed !== undefined
      ? Effect.succeed(changed)
      : Effect.map(get(sql, id), (organization) => ({ organization, repeated: true, revoked_keys: 0 }))
  )
}

const submitKyb = Effect.fnUntraced(function* (sql: SqlClient, id: string, submission: KybSubmission) {
  const [row] = yield* sql<OrganizationRow>`UPDATE postcode.organizations
    SET kyb_status = 'pending', kyb_submission = ${submissionText(submission)}::json
    WHERE id = ${id} AND kyb_status NOT IN ('pending', 'verified') RETURNING ${organizationColumns(sql)}`
  if (row !== undefined) return toOrganization(row)
  const { kyb_status } = yield* get(sql, id)
  return yield* kybSubmitted(kyb_status)
})

/** The organization of a row; fails if there is none. */
const found = <E>(row: Effect.Effect<OrganizationRow | undefined, E>) =>
  Effect.flatMap(row, (row) =>
    row === undefined ? Effect.fail(notFound("organization")) : Effect.succeed(toOrganization(row))
  )

/** Fails if the organization does not exist; for queries that found no rows. */
export const requireOrganization = (sql: SqlClient, id: string): Effect.Effect<void, NotFound | SqlError> =>
  Effect.flatMap(sql`SELECT FROM postcode.organizations WHERE id = ${id}`, ({ length }) =>
    length === 0 ? Effect.fail(notFound("organization")) : Effect.void
  )

type Service = Organizations["Service"]

type OrganizationRow = Pick<Organization, "granted_level" | "id" | "kyb_status" | "name" | "status"> & {
  readonly number: bigint
  readonly status_reason: string | null
  readonly status_changed_at: Date | null
  readonly kyb_submission: KybSubmission | null
  readonly review_note: string | null
  /** The name at the last verification; null if it is not verified. */
  readonly verified_name: string | null
  readonly rate_limit_per_minute: number | null
  readonly created_at: Date
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const organizationColumns = (sql: SqlClient) =>
  sql.literal(
    "number, id, name, granted_level, kyb_status, status, status_reason, status_changed_at, kyb_submission, review_note, verified_name, rate_limit_per_minute, created_at"
  )

const submissionText = (submission: KybSubmission | null): string | null =>
  submission === null ? null : JSON.stringify(submission)

const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  granted_level: row.granted_level,
  kyb_status: row.kyb_status,
  status: row.status,
  ...(row.status_reason !== null && { status_reason: row.status_reason }),
  ...(row.status_changed_at !== null && { status_changed_at: row.status_changed_at.toISOString() }),
  ...(row.kyb_submission !== null && { kyb_submission: row.kyb_submission }),
  ...(row.verified_name !== null && row.verified_name !== row.name && { verified_name: row.verified_name }),
  ...(row.review_note !== null && { review_note: row.review_note }),
  ...(row.rate_limit_per_minute !== null && { rate_limit_per_minute: row.rate_limit_per_minute }),
  created_at: row.created_at.toISOString()
})
