/** The audit log on PostgreSQL. `append` waits for the commit; concurrent events of an organization share one. */

import { type AuditAction, type AuditEvent, type AuditFilter, AuditLog } from "@postcode/gateway/audit/AuditLog"
import type { Unavailable } from "@postcode/gateway/Errors"
import { emptyPage, type PageRequest } from "@postcode/gateway/Page"
import { Effect, Exit, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { makeBatcher, separately } from "../connection/Batcher.ts"
import { asking } from "../connection/Database.ts"
import { aboveAll, numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { isStorable } from "../connection/StorableText.ts"

/** The port `AuditLog`. */
export const layerAuditLog: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = (events: ReadonlyArray<AuditEvent>) => asking(insertEvents(sql, events))
    const writeWithOthers = yield* makeBatcher({
      // One group per organization, so that no transaction spans several.
      groupOf: ({ organization_id = "" }: AuditEvent) => organization_id,
      run: separately((events) =>
        Effect.as(
          write(events),
          events.map(() => Exit.void)
        )
      ),
      maxBatch: 500,
      maxPending: 10_000
    })

    // Within a transaction, the event is committed or rolled back with it, so it uses the transaction's connection.
    const append = (event: AuditEvent): Effect.Effect<void, Unavailable> =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
        Option.isSome(transaction) ? write([event]) : asking(writeWithOthers(event))
      )

    return AuditLog.of({ append, appendAll: write, list: (filter, page) => asking(listEvents(sql, filter, page)) })
  })
)

/** `details` is sent as JSON within a JSON string: `json` keeps the escape of U+0000, which a text cannot hold. */
const insertEvents = (sql: SqlClient.SqlClient, events: ReadonlyArray<AuditEvent>) => {
  const rows = events.map((event) => ({
    ...event,
    number: `${newRowNumber()}`,
    details: JSON.stringify(event.details)
  }))
  return Effect.asVoid(sql`
    INSERT INTO postcode.audit_events (organization_id, number, id, at, actor, action, subject, details)
    SELECT coalesce(e.organization_id, ''), e.number, e.id, e.at, e.actor, e.action, e.subject, e.details::json
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e (
      organization_id text, number bigint, id text, at timestamptz, actor text, action text, subject text, details text
    )`)
}

const listEvents = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, filter: AuditFilter, page: PageRequest) {
  const before = yield* numberBefore(page)
  const { actions, actor = "", organization_id = "", subject = "" } = filter
  if (![actor, organization_id, subject].every(isStorable)) return emptyPage
  const conditions = [sql`number < ${before}`, ...conditionsOf(sql, filter)]
  const newest = (condition: ReadonlyArray<Statement.Fragment>) => sql`
    SELECT number, id, at, actor, action, subject, organization_id, details
    FROM postcode.audit_events
    WHERE ${sql.and(condition)}
    ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
  if (actions === undefined) return pageOf(yield* sql<EventRow>`${newest(conditions)}`, page, toEvent)
  if (actions.length === 0) return emptyPage
  // The newest events of each action, each by the index, and then the newest of these.
  const parts = [...new Set(actions)].map((action) => sql`(${newest([sql`action = ${action}`, ...conditions])})`)
  const rows = yield* sql<EventRow>`
    SELECT * FROM (${parts.reduce((all, part) => sql`${all} UNION ALL ${part}`)}) AS event
    ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, toEvent)
})

const conditionsOf = (
  sql: SqlClient.SqlClient,
  { actor, from, organization_id, subject, to }: AuditFilter
): ReadonlyArray<Statement.Fragment> => [
  ...(organization_id === undefined ? [] : [sql`organization_id = ${organization_id}`]),
  ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
  ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
  ...(from === undefined ? [] : [sql`at >= ${from}::timestamptz`, sql`number >= ${firstNumber(sql, from, "-1 hour")}`]),
  ...(to === undefined ? [] : [sql`at < ${to}::timestamptz`, sql`number < ${firstNumber(sql, to, "1 hour")}`])
]

/**
 * The number of the first event from a time on, plus the tolerance; `aboveAll` if there is none. Lists are sorted by
 * number, so these numbers bound the index scan. The tolerance covers replicas whose clocks differ.
 */
const firstNumber = (sql: SqlClient.SqlClient, time: string, tolerance: "-1 hour" | "1 hour") => sql`coalesce((
    SELECT number FROM postcode.audit_events WHERE at >= ${time}::timestamptz + ${tolerance}::interval
    ORDER BY at LIMIT 1
  ), ${aboveAll})`

interface EventRow {
  readonly number: bigint
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: AuditAction
  readonly subject: string
  /** Empty for an event without an organization. */
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
