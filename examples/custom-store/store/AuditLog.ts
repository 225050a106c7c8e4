/** The audit log in SQLite. */
import { type AuditEvent, type AuditFilter, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { Effect, Exit, Layer } from "effect"
import { Database, type Row } from "./Database.ts"
import { readPage } from "./readPage.ts"

export const layerAuditLog: Layer.Layer<AuditLog, never, Database> = Layer.effect(
  AuditLog,
  Effect.gen(function* () {
    const db = yield* Database
    const appendAll = (events: ReadonlyArray<AuditEvent>) =>
      db.step(() => {
        for (const event of events) {
          const sql = "INSERT INTO audit_events (organization_id, record) VALUES (?, ?)"
          db.run(sql, event.organization_id ?? null, JSON.stringify(event))
        }
        return Exit.void
      })
    return AuditLog.of({
      append: (event) => appendAll([event]),
      appendAll,
      list: (filter, page) =>
        db.step(() => {
          const { organization_id } = filter
          const list = {
            rows: `audit_events WHERE ${organization_id === undefined ? "true" : "organization_id = ?"}`,
            parameters: organization_id === undefined ? [] : [organization_id],
            itemOf: ({ record }: Row) => passed(JSON.parse(String(record)), filter)
          }
          return readPage(db, list, page)
        })
    })
  })
)

const passed = (event: AuditEvent, { actions, actor, from, subject, to }: AuditFilter): AuditEvent | undefined =>
  (actions === undefined || actions.includes(event.action)) &&
  (actor === undefined || event.actor === actor) &&
  (subject === undefined || event.subject === subject) &&
  // Moments in this form stand in the order of their texts.
  (from === undefined || event.at >= from) &&
  (to === undefined || event.at < to)
    ? event
    : undefined
