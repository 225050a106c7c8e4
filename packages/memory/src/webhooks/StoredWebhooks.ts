/** The endpoints of webhooks and their deliveries, as they are kept in memory. */
import {
  keptDeliveries,
  maximumPending,
  type SealedSecrets,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookEventType
} from "@postcode/core/Webhook"

export interface StoredEndpoint {
  record: WebhookEndpoint
  secrets: SealedSecrets
  /** The number of its last lease, and until when that counts or when it ended. */
  lease: number
  leased_until_ms: number
  /** How many deliveries there ever were. */
  made: number
  /** Those that are kept, by how many were made before. */
  readonly deliveries: Map<number, StoredDelivery>
  /** Those among them that are pending. */
  readonly pending: Set<StoredDelivery>
}

export interface StoredDelivery {
  record: Omit<WebhookDelivery, "next_attempt_at">
  /** When it is due, in ms since 1970, while it is pending. */
  due_ms: number
}

export class StoredWebhooks {
  /** In the order in which they were made. */
  readonly endpoints = new Map<string, StoredEndpoint>()
  readonly deliveries = new Map<string, StoredDelivery>()
  private count = 0

  /** Tells all endpoints of an organization that still count. */
  announce(organization_id: string, type: WebhookEventType, data: WebhookEvent["data"], now_ms: number): void {
    const event: WebhookEvent = { id: this.nextId("msg", now_ms), type, at: new Date(now_ms).toISOString(), data }
    for (const endpoint of this.endpoints.values()) {
      const { disabled_at, organization_id: owner } = endpoint.record
      if (owner === organization_id && disabled_at === undefined) this.enqueue(endpoint, event, now_ms)
    }
  }

  /** Undefined if as many as may be wait there already. */
  enqueue(endpoint: StoredEndpoint, event: WebhookEvent, now_ms: number): WebhookDelivery | undefined {
    if (endpoint.pending.size >= maximumPending) return undefined
    const id = this.nextId("dlv", now_ms)
    const delivery: StoredDelivery = {
      record: { id, endpoint_id: endpoint.record.id, event, status: "pending", attempts: 0 },
      due_ms: now_ms
    }
    endpoint.deliveries.set(endpoint.made++, delivery)
    endpoint.pending.add(delivery)
    this.deliveries.set(id, delivery)
    return shownDelivery(delivery)
  }

  remove(endpoint: StoredEndpoint): void {
    this.endpoints.delete(endpoint.record.id)
    for (const { record } of endpoint.deliveries.values()) this.deliveries.delete(record.id)
  }

  /** Ends the wait of a delivery, and forgets the oldest that is settled where there are too many. */
  end(endpoint: StoredEndpoint, delivery: StoredDelivery): void {
    const { deliveries, pending } = endpoint
    pending.delete(delivery)
    if (deliveries.size - pending.size <= keptDeliveries) return
    for (const [number, oldest] of deliveries) {
      if (pending.has(oldest)) continue
      deliveries.delete(number)
      this.deliveries.delete(oldest.record.id)
      return
    }
  }

  /** With the time in it, since receivers remember the ids of a process before this one. */
  private nextId(prefix: string, now_ms: number): string {
    return `${prefix}_${now_ms.toString(36)}${(++this.count).toString(36).padStart(6, "0")}`
  }
}

/** A delivery, as the ports answer it. */
export const shownDelivery = ({ due_ms, record }: StoredDelivery): WebhookDelivery => ({
  ...record,
  ...(record.status === "pending" && { next_attempt_at: new Date(due_ms).toISOString() })
})
