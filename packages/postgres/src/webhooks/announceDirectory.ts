/**
 * Announces versions of the directory to the endpoints of all organizations. The version and its event are stored first.
 * The event is then sent to some organizations per transaction, so that none grows with their number. If a process stops
 * meanwhile, the next call continues, in any process.
 */
import type { Unavailable } from "@postcode/gateway/Errors"
import type { DirectoryEvent } from "@postcode/gateway/webhooks/Webhook"
import type { Announcement, Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"
import { insertEventForEach } from "./insertEvents.ts"

type Decide = Parameters<Webhooks["Service"]["announceDirectory"]>[0]

/** See `Webhooks.announceDirectory`. */
export const announceDirectory = (
  sql: SqlClient,
  decide: Decide
): Effect.Effect<Announcement | undefined, Unavailable> =>
  Effect.gen(function* () {
    for (;;) {
      yield* sendToAll(sql)
      const next = yield* asking(inTransaction(sql, storeNext(sql, decide)))
      // Another process has stored an event since.
      if (next === "unsent") continue
      if (next?.event !== undefined) yield* sendToAll(sql)
      return next
    }
  })

interface AnnouncementRow {
  readonly edition: string
  readonly changes: number
  readonly at: Date
  readonly is_unsent: boolean
}

const storeNext = Effect.fnUntraced(function* (sql: SqlClient, decide: Decide) {
  // Also before the first row there is.
  yield* sql`LOCK TABLE postcode.directory_announcement IN EXCLUSIVE MODE`
  const [row] = yield* sql<AnnouncementRow>`
    SELECT edition, changes, at, event IS NOT NULL AS is_unsent FROM postcode.directory_announcement`
  if (row?.is_unsent) return "unsent"
  const next = yield* decide(row && { edition: row.edition, changes: row.changes, at: row.at.toISOString() })
  if (next === undefined) return undefined
  const { event, version } = next
  yield* sql`INSERT INTO postcode.directory_announcement (edition, changes, at, event)
    VALUES (${version.edition}, ${version.changes}, ${version.at}::timestamptz,
      ${event === undefined ? null : JSON.stringify(event)}::text::json)
    ON CONFLICT (one) DO UPDATE SET edition = excluded.edition, changes = excluded.changes, at = excluded.at,
      event = excluded.event, sent_to = ''`
  return next
})

/** Sends the stored event to all organizations that did not get it yet. */
const sendToAll = (sql: SqlClient) =>
  Effect.repeat(asking(inTransaction(sql, sendToSome(sql))), { while: (hasMore) => hasMore })

/** The lock of the row makes other processes wait, so each organization gets the event once. */
const sendToSome = Effect.fnUntraced(function* (sql: SqlClient) {
  const [unsent] = yield* sql<{ readonly event: DirectoryEvent; readonly sent_to: string }>`
    SELECT event, sent_to FROM postcode.directory_announcement WHERE event IS NOT NULL FOR UPDATE`
  if (unsent === undefined) return false
  const organizations = yield* sql<{ readonly id: string }>`
    SELECT DISTINCT organization_id AS id FROM postcode.webhook_endpoints
    WHERE disabled_at IS NULL AND organization_id > ${unsent.sent_to}
    ORDER BY organization_id LIMIT ${organizationsAtOnce}::integer`
  const ids = organizations.map(({ id }) => id)
  if (ids.length > 0) yield* insertEventForEach(sql, ids, unsent.event)
  const last = ids.length < organizationsAtOnce ? undefined : ids.at(-1)
  if (last === undefined) yield* sql`UPDATE postcode.directory_announcement SET event = NULL, sent_to = ''`
  else yield* sql`UPDATE postcode.directory_announcement SET sent_to = ${last}`
  return last !== undefined
})

/** Each may have a dozen endpoints. */
const organizationsAtOnce = 200
