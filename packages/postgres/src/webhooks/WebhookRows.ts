/** Rows of webhook endpoints and deliveries. */
import { randomBytes } from "node:crypto"
import type {
  DeliveryStatus,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  WebhookEventType
} from "@postcode/gateway/webhooks/Webhook"
import type { SqlClient } from "effect/sql/SqlClient"

/** A row of an endpoint, without its secrets. */
export interface EndpointRow {
  readonly id: string
  readonly organization_id: string
  readonly url: string
  readonly description: string | null
  readonly created_at: Date
  readonly former_secret_until: Date | null
  readonly disabled_at: Date | null
  readonly listened_at: Date | null
}

export interface DeliveryRow {
  readonly number: bigint
  readonly id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly type: WebhookEventType
  readonly at: Date
  readonly data: WebhookEvent["data"]
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly last_status: number | null
  readonly fault: string | null
  readonly last_attempt_at: Date | null
  readonly due_at: Date | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
export const endpointColumns = (sql: SqlClient) =>
  sql.literal("id, organization_id, url, description, created_at, former_secret_until, disabled_at, listened_at")

/** The columns of deliveries `d`. */
export const deliveryColumns = (sql: SqlClient) =>
  sql.literal(
    `d.number, d.id, d.endpoint_id, d.event_id, d.type, d.at, d.data, d.status, d.attempts, d.last_status, d.fault,
    d.last_attempt_at, d.due_at`
  )

/** `dlv_` and 128 random bits in hexadecimal. */
export const newDeliveryId = (): string => `dlv_${randomBytes(16).toString("hex")}`

/** `msg_` and 128 random bits in hexadecimal. */
export const newEventMessageId = (): string => `msg_${randomBytes(16).toString("hex")}`

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  organization_id: row.organization_id,
  url: row.url,
  ...(row.description !== null && { description: row.description }),
  created_at: row.created_at.toISOString(),
  ...(row.former_secret_until !== null && { former_secret_until: row.former_secret_until.toISOString() }),
  ...(row.disabled_at !== null && { disabled_at: row.disabled_at.toISOString() }),
  ...(row.listened_at !== null && { listened_at: row.listened_at.toISOString() })
})

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  event: { id: row.event_id, type: row.type, at: row.at.toISOString(), data: row.data },
  status: row.status,
  attempts: row.attempts,
  ...(row.last_status !== null && { last_status: row.last_status }),
  ...(row.fault !== null && { fault: row.fault }),
  ...(row.last_attempt_at !== null && { last_attempt_at: row.last_attempt_at.toISOString() }),
  ...(row.due_at !== null && { next_attempt_at: row.due_at.toISOString() })
})
