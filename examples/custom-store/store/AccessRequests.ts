/** Access requests in SQLite. */
import { type Conflict, type NotFound, notFound } from "@postcode/gateway/Errors"
import {
  type AccessDecision,
  type AccessRequestFilter,
  AccessRequests
} from "@postcode/gateway/organizations/AccessRequests"
import {
  type AccessRequest,
  accessRequestDecided,
  accessRequestPending
} from "@postcode/gateway/organizations/Organization"
import { Effect, Exit, Layer } from "effect"
import { Database, type Row } from "./Database.ts"
import { findOrganization, replaceOrganization } from "./Organizations.ts"
import { readPage } from "./readPage.ts"

export const layerAccessRequests: Layer.Layer<AccessRequests, never, Database> = Layer.effect(
  AccessRequests,
  Effect.gen(function* () {
    const db = yield* Database

    const create = (request: AccessRequest) => {
      const { id, level, organization_id, status } = request
      if (findOrganization(db, organization_id) === undefined) return Exit.fail(notFound("organization"))
      const pending =
        "SELECT 1 FROM access_requests WHERE organization_id = ? AND level = ? AND status = 'pending' LIMIT 1"
      if (db.get(pending, organization_id, level) !== undefined) return Exit.fail(accessRequestPending)
      db.run(
        "INSERT INTO access_requests (id, organization_id, level, status, record) VALUES (?, ?, ?, ?, ?)",
        id,
        organization_id,
        level,
        status,
        JSON.stringify(request)
      )
      return Exit.void
    }

    const decide = (id: string, decision: AccessDecision) => {
      const row = db.get("SELECT record FROM access_requests WHERE id = ?", id)
      if (row === undefined) return Exit.fail(notFound("access request"))
      const request = requestOf(row)
      if (request.status !== "pending") return Exit.fail(accessRequestDecided(request.status))
      const decided: AccessRequest = { ...request, ...decision }
      const sql = "UPDATE access_requests SET status = ?, record = ? WHERE id = ?"
      db.run(sql, decided.status, JSON.stringify(decided), id)
      const organization = findOrganization(db, request.organization_id)
      if (organization !== undefined && decided.status === "approved") {
        const isDeeper = request.level > organization.granted_level
        const raised = { ...(isDeeper && { granted_level: request.level }), review_note: decision.note }
        replaceOrganization(db, { ...organization, ...raised })
      }
      return Exit.succeed(decided)
    }

    return AccessRequests.of({
      create: (request) => db.step<void, Conflict | NotFound>(() => create(request)),
      decide: (id, decision) => db.step<AccessRequest, Conflict | NotFound>(() => decide(id, decision)),
      list: (filter, page) =>
        db.step(() => {
          const itemOf = (row: Row) => passed(requestOf(row), filter)
          return readPage(db, { rows: "access_requests WHERE true", parameters: [], itemOf }, page)
        }),
      waiting: () =>
        db.step(() => {
          const row = db.get(
            `SELECT count(*) AS count, min(at) AS oldest_at FROM (
              SELECT json_extract(record, '$.created_at') AS at FROM access_requests WHERE status = 'pending'
              UNION ALL
              SELECT json_extract(record, '$.kyb_submission.submitted_at') FROM organizations
              WHERE json_extract(record, '$.kyb_status') = 'pending'
            )`
          )
          const oldest_at = row?.oldest_at
          return Exit.succeed({
            count: Number(row?.count),
            oldest_at: typeof oldest_at === "string" ? oldest_at : undefined
          })
        })
    })
  })
)

const requestOf = ({ record }: Row): AccessRequest => JSON.parse(String(record))

const passed = (request: AccessRequest, { organization_id, status }: AccessRequestFilter): AccessRequest | undefined =>
  (organization_id === undefined || request.organization_id === organization_id) &&
  (status === undefined || request.status === status)
    ? request
    : undefined
