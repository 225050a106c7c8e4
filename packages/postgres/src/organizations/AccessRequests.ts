/** Access requests on PostgreSQL. */

import { notFound } from "@postcode/gateway/Errors"
import { type AccessDecision, AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import {
  type AccessRequest,
  type AccessRequestStatus,
  accessRequestDecided,
  accessRequestPending
} from "@postcode/gateway/organizations/Organization"
import { emptyPage } from "@postcode/gateway/Page"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking } from "../connection/Database.ts"
import { inAskedOrder, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { isStorable } from "../connection/StorableText.ts"
import { changeKeys } from "../keys/changeKeys.ts"
import { KeyCopies } from "../keys/KeyCopies.ts"
import { requireOrganization } from "./Organizations.ts"

/** The port `AccessRequests`. An approval raises the grant in the same transaction. */
export const layerAccessRequests: Layer.Layer<AccessRequests, never, KeyCopies | SqlClient> = Layer.effect(
  AccessRequests,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const copies = yield* KeyCopies

    const create: Service["create"] = ({ created_at, id, level, organization_id, reason, status }) =>
      Effect.gen(function* () {
        const stored = yield* sql`INSERT INTO postcode.access_requests
          (organization_id, id, number, level, reason, status, created_at)
          SELECT o.id, ${id}, ${newRowNumber()}::bigint, ${level}::smallint, ${reason}, ${status}, ${created_at}::timestamptz
          FROM postcode.organizations o WHERE o.id = ${organization_id}
          ON CONFLICT (organization_id, level) WHERE status = 'pending' DO NOTHING RETURNING id`
        if (stored.length > 0) return
        yield* requireOrganization(sql, organization_id)
        return yield* accessRequestPending
      }).pipe(asking)

    const list: Service["list"] = ({ organization_id, status }, page) =>
      Effect.gen(function* () {
        const { condition, sorted } = yield* inAskedOrder(sql, page)
        if (!isStorable(organization_id ?? "")) return emptyPage
        const conditions = [
          condition,
          ...(organization_id === undefined ? [] : [sql`organization_id = ${organization_id}`]),
          ...(status === undefined ? [] : [sql`status = ${status}`])
        ]
        const rows = yield* sql<RequestRow>`SELECT ${requestColumns(sql)} FROM postcode.access_requests
          WHERE ${sql.and(conditions)} ${sorted} LIMIT ${rowsOfPage(page)}`
        return pageOf(rows, page, toRequest)
      }).pipe(asking)

    /** Undefined if the request is no longer pending. */
    const decidePending = Effect.fnUntraced(function* (
      { id, organization_id }: RequestRow,
      { decided_at, note, status }: AccessDecision
    ) {
      const [decided] = yield* sql<RequestRow>`UPDATE postcode.access_requests
        SET status = ${status}, note = ${note}, decided_at = ${decided_at}
        WHERE organization_id = ${organization_id} AND id = ${id} AND status = 'pending' RETURNING ${requestColumns(sql)}`
      if (decided === undefined || status === "rejected") return decided
      yield* sql`UPDATE postcode.organizations
        SET granted_level = greatest(granted_level, ${decided.level}::smallint), review_note = ${note}
        WHERE id = ${organization_id}`
      return decided
    })

    const decide: Service["decide"] = (id, decision) =>
      Effect.gen(function* () {
        const found = sql<RequestRow>`SELECT ${requestColumns(sql)} FROM postcode.access_requests WHERE id = ${id}`
        const [request] = yield* found
        if (request === undefined) return yield* notFound("access request")
        const decided = yield* changeKeys(sql, copies, request.organization_id, decidePending(request, decision))
        if (decided !== undefined) return toRequest(decided)
        const [already = request] = yield* found
        return yield* accessRequestDecided(already.status)
      }).pipe(asking)

    const waiting: Service["waiting"] = () =>
      Effect.map(
        sql<WaitingRow>`SELECT count(*)::integer AS count, min(at) AS oldest_at FROM (
            SELECT created_at AS at FROM postcode.access_requests WHERE status = 'pending'
            UNION ALL
            SELECT coalesce((kyb_submission ->> 'submitted_at')::timestamptz, created_at) FROM postcode.organizations
            WHERE kyb_status = 'pending'
          ) waiting`,
        ([row]) => ({ count: row?.count ?? 0, oldest_at: row?.oldest_at?.toISOString() })
      ).pipe(asking)

    return AccessRequests.of({ create, list, decide, waiting })
  })
)

type Service = AccessRequests["Service"]

interface WaitingRow {
  readonly count: number
  readonly oldest_at: Date | null
}

interface RequestRow {
  readonly number: bigint
  readonly id: string
  readonly organization_id: string
  readonly level: AccessRequest["level"]
  readonly reason: string
  readonly status: AccessRequestStatus
  readonly note: string | null
  readonly created_at: Date
  readonly decided_at: Date | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const requestColumns = (sql: SqlClient) =>
  sql.literal("number, id, organization_id, level, reason, status, note, created_at, decided_at")

const toRequest = (row: RequestRow): AccessRequest => ({
  id: row.id,
  organization_id: row.organization_id,
  level: row.level,
  reason: row.reason,
  status: row.status,
  ...(row.note !== null && { note: row.note }),
  created_at: row.created_at.toISOString(),
  ...(row.decided_at !== null && { decided_at: row.decided_at.toISOString() })
})
