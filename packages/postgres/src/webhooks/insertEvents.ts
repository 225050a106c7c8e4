/** Events in the queue of webhooks. */

import { PgTypes } from "@effect/sql-pg"
import type { NoticeLimits } from "@postcode/gateway/notices/Notice"
import {
  type DirectoryEvent,
  type EventContent,
  eventFor,
  maxPending,
  maxReceivers
} from "@postcode/gateway/webhooks/Webhook"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import { newRowNumber } from "../connection/RowNumber.ts"
import { columnIn } from "../credits/ChargeBatch.ts"
import { insertNotices } from "../notices/insertNotices.ts"
import { newDeliveryId, newEventMessageId } from "./WebhookRows.ts"

/** An event of an account, by the account's position in the statement, from 1. */
interface AccountEvent {
  readonly account: number
  readonly event: EventContent
}

/** SQL for the accounts of the statement. */
interface EventNames {
  readonly organization: Fragment
  readonly at: Fragment
  /** Joins the accounts `w` to the events `c`; undefined if parameters name the account. */
  readonly isWritten?: Fragment
}

/** Inserts a delivery for each enabled endpoint of the organization with capacity. */
export const insertEvents = (
  sql: SqlClient,
  events: ReadonlyArray<AccountEvent>,
  { at, isWritten = sql.literal(""), organization }: EventNames
): Statement<unknown> => {
  const column = columnIn(sql, events)
  const rows = events.flatMap(() => Array.from({ length: maxReceivers }))
  return sql`
    INSERT INTO postcode.webhook_deliveries (organization_id, id, number, endpoint_id, event_id, type, at, data, due_at)
    SELECT e.organization_id,
      (${columnIn(sql, rows)(PgTypes.OID.text, newDeliveryId)})[(c.place - 1) * ${maxReceivers}::integer + e.place],
      (${columnIn(sql, rows)(PgTypes.OID.int8, newRowNumber)})[(c.place - 1) * ${maxReceivers}::integer + e.place],
      e.id, c.event_id, c.type, ${at}, c.data::json, ${at}
    FROM unnest(
      ${column(PgTypes.OID.int4, ({ account }) => account)}, ${column(PgTypes.OID.text, newEventMessageId)},
      ${column(PgTypes.OID.text, ({ event }) => event.type)},
      ${column(PgTypes.OID.text, ({ event }) => JSON.stringify(event.data))}
    ) WITH ORDINALITY AS c (account, event_id, type, data, place)
    ${isWritten}
    CROSS JOIN LATERAL (
      SELECT e.organization_id, e.id, row_number() OVER (ORDER BY e.number) AS place FROM postcode.webhook_endpoints e
      WHERE e.organization_id = ${organization} AND e.disabled_at IS NULL AND ${hasRoom(sql)}
    ) e`
}

/** Inserts events of one organization, and their notices. */
export const announceOn = (
  sql: SqlClient,
  organization_id: string,
  events: ReadonlyArray<EventContent>,
  limits: NoticeLimits
): Effect.Effect<void, SqlError> => {
  if (events.length === 0) return Effect.void
  const accountEvents = events.map((event) => ({ account: 1, event }))
  const names = { organization: sql`${organization_id}::text`, at: sql`statement_timestamp()` }
  const notices = insertNotices(sql, accountEvents, names, limits)
  const deliveries = Effect.asVoid(insertEvents(sql, accountEvents, names))
  return notices === undefined ? deliveries : Effect.andThen(deliveries, Effect.asVoid(notices))
}

/** Inserts an event about the directory for organizations, whose endpoints are read first. */
export const insertEventForEach = (
  sql: SqlClient,
  organization_ids: ReadonlyArray<string>,
  event: DirectoryEvent
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const endpoints = yield* sql<{ readonly organization_id: string; readonly id: string }>`
      SELECT e.organization_id, e.id FROM postcode.webhook_endpoints e
      WHERE e.organization_id = ANY (${organization_ids}::text[]) AND e.disabled_at IS NULL AND ${hasRoom(sql)}
      ORDER BY e.organization_id, e.number`
    if (endpoints.length === 0) return
    const messages = new Map(organization_ids.map((id) => [id, newEventMessageId()]))
    const column = columnIn(sql, endpoints)
    const texts = (fieldOf: (endpoint: (typeof endpoints)[number]) => unknown) => column(PgTypes.OID.text, fieldOf)
    yield* sql`
      INSERT INTO postcode.webhook_deliveries (organization_id, id, number, endpoint_id, event_id, type, at, data, due_at)
      SELECT c.organization_id, c.id, c.number, c.endpoint_id, c.event_id, ${event.type}, statement_timestamp(), c.data::json,
        statement_timestamp()
      FROM unnest(
        ${texts(({ organization_id }) => organization_id)}, ${texts(newDeliveryId)}, ${column(PgTypes.OID.int8, newRowNumber)},
        ${texts(({ id }) => id)}, ${texts(({ organization_id }) => messages.get(organization_id))},
        ${texts(({ organization_id }) => JSON.stringify(eventFor(organization_id, event).data))}
      ) AS c (organization_id, id, number, endpoint_id, event_id, data)`
  })

/** Whether endpoint `e` has fewer pending deliveries than the maximum; concurrent inserts may exceed it slightly. */
export const hasRoom = (sql: SqlClient): Fragment => sql`(
  SELECT count(*) FROM postcode.webhook_deliveries d
  WHERE d.organization_id = e.organization_id AND d.endpoint_id = e.id AND d.due_at IS NOT NULL
) < ${maxPending}::integer`
