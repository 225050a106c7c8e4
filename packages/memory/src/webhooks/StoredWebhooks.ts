/** Webhook endpoints and their deliveries in memory. */
import { noticeOfEvent } from "@postcode/gateway/notices/noticeOfEvent"
import {
  type DirectoryEvent,
  type EventContent,
  eventFor,
  keptDeliveries,
  maxPending,
  type SealedSecrets,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent
} from "@postcode/gateway/webhooks/Webhook"
import type { AnnouncedVersion } from "@postcode/gateway/webhooks/Webhooks"
import { Semaphore } from "effect"
import type { StoredNotices } from "../notices/StoredNotices.ts"

export interface StoredEndpoint {
  record: WebhookEndpoint
  secrets: SealedSecrets
  /** The number of the last lease, and its expiry or end. */
  lease: number
  leased_until_ms: number
  /** The number of deliveries ever created. */
  made: number
  /** The stored deliveries by number. */
  readonly deliveries: Map<number, StoredDelivery>
  /** The pending deliveries. */
  readonly pending: Set<StoredDelivery>
}

export interface StoredDelivery {
  record: Omit<WebhookDelivery, "next_attempt_at">
  /** When it is due, in milliseconds since 1970; only while pending. */
  due_ms: number
}

export class StoredWebhooks {
  /** In order of creation. */
  readonly endpoints = new Map<string, StoredEndpoint>()
  readonly deliveries = new Map<string, StoredDelivery>()
  /** The version of the directory that was announced last. */
  announced: AnnouncedVersion | undefined
  /** Held while an announcement of the directory is decided and made. */
  readonly announcing = Semaphore.makeUnsafe(1)
  private readonly notices: StoredNotices
  private count = 0

  constructor(notices: StoredNotices) {
    this.notices = notices
  }

  /** Enqueues an event for all enabled endpoints of its organization, and adds its notice. */
  announce(content: EventContent, now_ms: number): void {
    const { data, type } = content
    const notice = noticeOfEvent(content)
    if (notice !== undefined) this.notices.addForRoles(notice, now_ms)
    const event: WebhookEvent = { id: this.nextId("msg", now_ms), type, at: new Date(now_ms).toISOString(), data }
    for (const endpoint of this.endpoints.values()) {
      const { disabled_at, organization_id: owner } = endpoint.record
      if (owner === data.organization_id && disabled_at === undefined) this.enqueue(endpoint, event, now_ms)
    }
  }

  /** Enqueues an event for all enabled endpoints. */
  announceToAll(event: DirectoryEvent, now_ms: number): void {
    const organizations = new Set([...this.endpoints.values()].map(({ record }) => record.organization_id))
    for (const organization_id of organizations) this.announce(eventFor(organization_id, event), now_ms)
  }

  /** Undefined if the endpoint has the maximum of pending deliveries. */
  enqueue(endpoint: StoredEndpoint, event: WebhookEvent, now_ms: number): WebhookDelivery | undefined {
    if (endpoint.pending.size >= maxPending) return undefined
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

  /** Settles a delivery, and evicts the oldest settled one at capacity. */
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

  /** Includes the time, because endpoints remember ids across restarts of this process. */
  private nextId(prefix: string, now_ms: number): string {
    return `${prefix}_${now_ms.toString(36)}${(++this.count).toString(36).padStart(6, "0")}`
  }
}

/** A delivery as the ports return it. */
export const shownDelivery = ({ due_ms, record }: StoredDelivery): WebhookDelivery => ({
  ...record,
  ...(record.status === "pending" && { next_attempt_at: new Date(due_ms).toISOString() })
})
