/** The audit log in memory: the newest events of all organizations, limited by `Retention`. */
import { type AuditAction, type AuditEvent, type AuditFilter, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { Effect, Layer } from "effect"
import { KeptByOwner } from "./retention/KeptByOwner.ts"
import { Retention } from "./retention/Retention.ts"

export const layerAuditLog: Layer.Layer<AuditLog> = Layer.effect(
  AuditLog,
  Effect.map(Retention, ({ auditEvents }) => {
    const events = new KeptByOwner<AuditEvent>(auditEvents, ({ action, organization_id: owner }) => ({
      owner,
      queue: `${bulkActions.has(action) ? action : ""} ${owner ?? ""}`
    }))
    return AuditLog.of({
      append: (event) => Effect.sync(() => events.add(event)),
      appendAll: (several) =>
        Effect.sync(() => {
          for (const event of several) events.add(event)
        }),

      list: (filter, page) =>
        Effect.suspend(() => events.page(filter.organization_id, page, (event) => passes(event, filter)))
    })
  })
)

/** Frequent actions evict only events of the same action. */
const bulkActions: ReadonlySet<AuditAction> = new Set(["widget_session.requested", "end_user.saved"])

const passes = (event: AuditEvent, { actions, actor, from, subject, to }: AuditFilter): boolean =>
  (actions === undefined || actions.includes(event.action)) &&
  (actor === undefined || event.actor === actor) &&
  (subject === undefined || event.subject === subject) &&
  // ISO 8601 times compare as strings.
  (from === undefined || event.at >= from) &&
  (to === undefined || event.at < to)
