/** The audit log on PostgreSQL. Whoever appends waits for the commit; what is appended at the same time shares one. */
import type { Unavailable } from "@postcode/core/Errors"
import type { PageRequest } from "@postcode/core/Page"
import { type AuditAction, type AuditEvent, type AuditFilter, AuditLog } from "@postcode/core/ports/AuditLog"
import { Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { asking } from "./Database.ts"
import { makeGroupCommit } from "./GroupCommit.ts"
import { numberBefore, pageOf, rowsOfPage } from "./Paging.ts"

export const layerAuditLog: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = (events: ReadonlyArray<AuditEvent>) => asking(insertEvents(sql, events))
    const writeWithOthers = yield* makeGroupCommit({
      // An organization each, so that no transaction spans several.
      groupOf: ({ organization_id = "" }: AuditEvent) => organization_id,
      commit: (events) =>
        Effect.as(
          write(events),
          events.map(() => Exit.void)
        ),
      maximumBatch: 500,
      maximumPending: 10_000
    })

    // Within a transaction an event stands or falls with it, so it goes over the transaction's own connection.
    const append = (event: AuditEvent): Effect.Effect<void, Unavailable> =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
        Option.isSome(transaction) ? write([event]) : asking(writeWithOthers(event))
      )

    return AuditLog.of({ append, appendAll: write, list: (filter, page) => asking(listEvents(sql, filter, page)) })
  })
)

/** `details` goes as a text within the text, since JSON allows characters that a text of the database cannot hold. */
const insertEvents = (sql: SqlClient.SqlClient, events: ReadonlyArray<AuditEvent>) => {
  const rows = events.map((event) => ({ ...event, details: JSON.stringify(event.details) }))
  return Effect.asVoid(sql`
    INSERT INTO postcode.audit_events (organization_id, id, at, actor, action, subject, details)
    SELECT coalesce(e.organization_id, ''), e.id, e.at, e.actor, e.action, e.subject, e.details::json
    FROM ROWS FROM (
      json_to_recordset(${JSON.stringify(rows)}::json) AS (
        organization_id text, id text, at timestamptz, actor text, action text, subject text, details text
      )
    ) WITH ORDINALITY AS e (organization_id, id, at, actor, action, subject, details, position)
    ORDER BY e.position`)
}

const listEvents = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { action, organization_id }: AuditFilter,
  page: PageRequest
) {
  const before = yield* numberBefore(page)
  // No text of the database holds this character, so it cannot even be asked for.
  if (organization_id?.includes("\0")) return { items: [], next_cursor: null }
  const conditions = [
    sql`number < ${before}`,
    ...(organization_id === undefined ? [] : [sql`organization_id = ${organization_id}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`])
  ]
  const rows = yield* sql<EventRow>`
    SELECT number, id, at, actor, action, subject, organization_id, details
    FROM postcode.audit_events
    WHERE ${sql.and(conditions)}
    ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, toEvent)
})

interface EventRow {
  readonly number: bigint
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: AuditAction
  readonly subject: string
  /** Empty for an event of no organization. */
  readonly organization_id: string
  readonly details: AuditEvent["details"]
}

const toEvent = ({ action, actor, at, details, id, organization_id, subject }: EventRow): AuditEvent => ({
  id,
  at: at.toISOString(),
  actor,
  action,
  subject,
  ...(organization_id !== "" && { organization_id }),
  details
})
