/** The audit log in memory. */
import { type AuditEvent, type AuditFilter, AuditLog } from "@postcode/core/ports/AuditLog"
import { Effect, Layer } from "effect"
import { newestFirst } from "./NewestFirst.ts"

export const layerAuditLog: Layer.Layer<AuditLog> = Layer.sync(AuditLog, () => {
  const all: Array<AuditEvent> = []
  const byOrganization = new Map<string, Array<AuditEvent>>()

  const append = (event: AuditEvent) => {
    all.push(event)
    if (event.organization_id === undefined) return
    const own = byOrganization.get(event.organization_id)
    if (own === undefined) byOrganization.set(event.organization_id, [event])
    else own.push(event)
  }

  return AuditLog.of({
    append: (event) => Effect.sync(() => append(event)),
    appendAll: (events) => Effect.sync(() => events.forEach(append)),

    list: (filter, page) =>
      Effect.suspend(() => {
        const events = eventsOf(filter)
        return newestFirst(events.length, (index) => passed(events[index] as AuditEvent, filter), page)
      })
  })

  function eventsOf({ organization_id }: AuditFilter): ReadonlyArray<AuditEvent> {
    return organization_id === undefined ? all : (byOrganization.get(organization_id) ?? [])
  }
})

const passed = (event: AuditEvent, { actions, actor, from, subject, to }: AuditFilter): AuditEvent | undefined =>
  (actions === undefined || actions.includes(event.action)) &&
  (actor === undefined || event.actor === actor) &&
  (subject === undefined || event.subject === subject) &&
  // Moments in this form stand in the order of their texts.
  (from === undefined || event.at >= from) &&
  (to === undefined || event.at < to)
    ? event
    : undefined
