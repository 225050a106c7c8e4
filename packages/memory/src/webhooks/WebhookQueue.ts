/** The queue of webhooks in memory. */

import { disabledNotice } from "@postcode/gateway/notices/noticeOfEvent"
import type { Settlement } from "@postcode/gateway/webhooks/Webhook"
import { type Lease, type LeasedDelivery, WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Clock, Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { type StoredDelivery, type StoredEndpoint, type StoredWebhooks, shownDelivery } from "./StoredWebhooks.ts"

export const layerWebhookQueue: Layer.Layer<WebhookQueue, never, MemoryState> = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const { notices, webhooks } = yield* MemoryState
    const clock = yield* Clock.Clock
    return WebhookQueue.of({
      hasEndpoints: () => webhooks.endpoints.size > 0,
      lease: (limit, duration_ms) =>
        Effect.sync(() => {
          const now_ms = clock.currentTimeMillisUnsafe()
          return dueAt(webhooks, now_ms)
            .slice(0, limit)
            .map((due) => leaseOf(due, now_ms + duration_ms))
        }),
      leaseOfListener: (id, duration_ms) =>
        Effect.sync(() => {
          const now_ms = clock.currentTimeMillisUnsafe()
          const endpoint = webhooks.endpoints.get(id)
          if (endpoint?.record.listened_at === undefined) return undefined
          endpoint.record = { ...endpoint.record, listened_at: new Date(now_ms).toISOString() }
          const delivery = firstDue(endpoint, now_ms)
          return delivery && leaseOf({ endpoint, delivery }, now_ms + duration_ms)
        }),
      settle: (leased, settlement) =>
        Effect.sync(() => {
          const now_ms = clock.currentTimeMillisUnsafe()
          const isSettled = settle(webhooks, leased, settlement, now_ms)
          if (isSettled && settlement.disables) notices.addForRoles(disabledNotice(leased.endpoint), now_ms)
        })
    })
  })
)

interface Due {
  readonly endpoint: StoredEndpoint
  readonly delivery: StoredDelivery
}

/** The first due delivery of each endpoint without a lease, round robin. Listeners are left out. */
const dueAt = ({ endpoints }: StoredWebhooks, now_ms: number): ReadonlyArray<Due> => {
  const found: Array<Due> = []
  for (const endpoint of endpoints.values()) {
    const first = endpoint.record.listened_at === undefined ? firstDue(endpoint, now_ms) : undefined
    if (first !== undefined) found.push({ endpoint, delivery: first })
  }
  return found.sort(
    (a, b) => a.endpoint.leased_until_ms - b.endpoint.leased_until_ms || a.delivery.due_ms - b.delivery.due_ms
  )
}

/** Undefined while the endpoint is leased. */
const firstDue = ({ leased_until_ms, pending }: StoredEndpoint, now_ms: number): StoredDelivery | undefined => {
  if (leased_until_ms > now_ms) return undefined
  let first: StoredDelivery | undefined
  for (const delivery of pending) {
    if (delivery.due_ms <= now_ms && (first === undefined || delivery.due_ms < first.due_ms)) first = delivery
  }
  return first
}

const leaseOf = ({ delivery, endpoint }: Due, until_ms: number): LeasedDelivery => {
  endpoint.lease++
  endpoint.leased_until_ms = until_ms
  delivery.record = { ...delivery.record, attempts: delivery.record.attempts + 1 }
  const { lease, record, secrets } = endpoint
  return { lease, endpoint: record, secrets, delivery: shownDelivery(delivery) }
}

const settle = (
  webhooks: StoredWebhooks,
  { delivery: { id }, endpoint: { id: endpoint_id }, lease }: Lease,
  { after_ms, disables, fault, last_status, status }: Settlement,
  now_ms: number
): boolean => {
  const [endpoint, delivery] = [webhooks.endpoints.get(endpoint_id), webhooks.deliveries.get(id)]
  if (endpoint === undefined || delivery === undefined || endpoint.lease !== lease) return false
  const at = new Date(now_ms).toISOString()
  endpoint.leased_until_ms = now_ms
  if (disables) endpoint.record = { ...endpoint.record, disabled_at: at }
  const { attempts, event } = delivery.record
  delivery.record = {
    id,
    endpoint_id,
    event,
    status,
    attempts,
    last_attempt_at: at,
    ...(last_status !== undefined && { last_status }),
    ...(fault !== undefined && { fault })
  }
  if (after_ms === undefined) webhooks.end(endpoint, delivery)
  else delivery.due_ms = now_ms + after_ms
  return true
}
