/** The audit log in memory: the newest events of all organizations together, as many as `Retention` says. */
import { type AuditEvent, type AuditFilter, AuditLog } from "@postcode/core/ports/AuditLog"
import { Effect, Layer } from "effect"
import { KeptByOwner } from "./KeptByOwner.ts"
import { newestFirst } from "./NewestFirst.ts"
import { Retention } from "./Retention.ts"

export const layerAuditLog: Layer.Layer<AuditLog> = Layer.effect(
  AuditLog,
  Effect.map(Retention, ({ auditEvents }) => {
    const events = new KeptByOwner<AuditEvent>(auditEvents, ({ organization_id }) => organization_id)
    return AuditLog.of({
      append: (event) => Effect.sync(() => events.add(event)),
      appendAll: (several) =>
        Effect.sync(() => {
          for (const event of several) events.add(event)
        }),

      list: (filter, page) =>
        Effect.suspend(() => {
          const { organization_id } = filter
          const found = organization_id === undefined ? events.all : events.of(organization_id)
          const itemAt = (index: number) => passed(found.at(index) as AuditEvent, filter)
          return newestFirst(found.length, itemAt, page, found.first)
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
