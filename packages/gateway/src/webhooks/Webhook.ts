/**
 * Webhooks: events, endpoints and deliveries of an organization. They follow Standard Webhooks: the headers
 * `webhook-id`, `webhook-timestamp` and `webhook-signature`, and a body with `type`, `timestamp` and `data`.
 */

import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { CreditEventData, Environment } from "@postcode/core/Credits"
import { Context } from "effect"
import { Conflict } from "../Errors.ts"
import { retryDelay_ms } from "../outbox/retries.ts"
import { isLoopbackAddress, isPublicAddress } from "./NetworkAddress.ts"

/**
 * The data of each type of event. It holds ids, numbers, times and fixed words: never a secret, an identifier of an end
 * user, or a text that a person wrote.
 */
export interface WebhookEventData extends CreditEventData {
  /** An operator decided on the verification. */
  readonly "organization.verification_decided": OfOrganization & { readonly kyb_status: "rejected" | "verified" }
  /** An operator changed the granted level without a request. */
  readonly "organization.level_changed": OfOrganization & { readonly granted_level: AccessLevel }
  readonly "organization.suspended": OfOrganization
  readonly "organization.resumed": OfOrganization
  readonly "organization.closed": OfOrganization
  /** An operator decided on a request for a level. */
  readonly "access_request.decided": OfOrganization & {
    readonly access_request_id: string
    readonly level: AccessLevel
    readonly status: "approved" | "rejected"
  }
  /** A key expires within `expiryNotice_ms`, and was not replaced. Once for each key. */
  readonly "key.expiring": OfKey & { readonly expires_at: string }
  /** A key was revoked, or replaced without an overlap. */
  readonly "key.revoked": OfKey
  /** Changes of the directory, at most once a minute: the version with them, and their number since the last event. */
  readonly "directory.changed": OfOrganization & OfDirectory & { readonly changes: number }
  /** Another edition of the directory is current. */
  readonly "directory.edition": OfOrganization & OfDirectory
  /** A test event that a user sent. */
  readonly "webhook.test": OfOrganization
}

// Not an interface: only a type alias is assignable to a record.
type OfOrganization = { readonly organization_id: string }
/** The version is `formatVersion`'s text. */
type OfDirectory = { readonly version: string }
type OfKey = OfOrganization & { readonly environment: Environment; readonly key_id: string }

/** A type of event. */
export type WebhookEventType = keyof WebhookEventData

/** All types of events. */
export const webhookEventTypes = [
  "credits.low",
  "credits.used_up",
  "organization.verification_decided",
  "organization.level_changed",
  "organization.suspended",
  "organization.resumed",
  "organization.closed",
  "access_request.decided",
  "key.expiring",
  "key.revoked",
  "key.daily_limit_reached",
  "directory.changed",
  "directory.edition",
  "webhook.test"
] as const satisfies ReadonlyArray<WebhookEventType>

/** An event before the store adds its id and its time. */
export type EventContent = {
  readonly [Type in WebhookEventType]: { readonly type: Type; readonly data: WebhookEventData[Type] }
}[WebhookEventType]

/** An event about the directory, which all organizations get. */
export type DirectoryEvent = {
  readonly [Type in "directory.changed" | "directory.edition"]: {
    readonly type: Type
    readonly data: Omit<WebhookEventData[Type], "organization_id">
  }
}["directory.changed" | "directory.edition"]

/** The same for one organization. */
export const eventFor = (organization_id: string, { data, type }: DirectoryEvent): EventContent =>
  ({ type, data: { organization_id, ...data } }) as EventContent

/** An event. Its id is the `webhook-id` of every attempt at every endpoint. */
export interface WebhookEvent {
  readonly id: string
  readonly type: WebhookEventType
  /** ISO 8601, UTC. */
  readonly at: string
  readonly data: Readonly<Record<string, string | number>>
}

/** An endpoint of an organization. */
export interface WebhookEndpoint {
  readonly id: string
  readonly organization_id: string
  /** Normalized by `URL`. */
  readonly url: string
  readonly description?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** Until when the previous secret also signs. */
  readonly former_secret_until?: string
  /** Set when the endpoint answered 410; nothing is sent after that. */
  readonly disabled_at?: string
}

/** The stored secrets of an endpoint. */
export interface SealedSecrets {
  readonly present: string
  /** The previous secret, valid until the endpoint's `former_secret_until`. */
  readonly former?: string
}

/** All values of `DeliveryStatus`. */
export const deliveryStatuses = ["pending", "delivered", "failed"] as const

/** The state of a delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The delivery of one event to one endpoint. */
export interface WebhookDelivery {
  readonly id: string
  readonly endpoint_id: string
  readonly event: WebhookEvent
  readonly status: DeliveryStatus
  /** Number of attempts that were started. */
  readonly attempts: number
  /** HTTP status of the last attempt; absent without a response. */
  readonly last_status?: number
  /** Why the last attempt had no response. */
  readonly fault?: string
  /** ISO 8601, UTC; end of the last completed attempt. */
  readonly last_attempt_at?: string
  /** Only if pending. */
  readonly next_attempt_at?: string
}

/** The outcome of an attempt. */
export type WebhookAnswer =
  | { readonly _tag: "Answered"; readonly status: number; readonly retry_after: string | undefined }
  | { readonly _tag: "NotAnswered"; readonly fault: string }

/** The new state of a delivery after an attempt. */
export interface Settlement {
  readonly status: DeliveryStatus
  /** Delay of the next attempt, if pending. */
  readonly after_ms?: number
  readonly last_status?: number
  readonly fault?: string
  /** Whether the endpoint is disabled. */
  readonly disables?: true
}

/** Maximum number of endpoints per organization. */
export const maxWebhooks = 10

/** Maximum number of pending deliveries per endpoint, so that undelivered events cannot fill the store. */
export const maxPending = 500

/** Number of settled deliveries to keep per endpoint, newest first. */
export const keptDeliveries = 1_000

/** How long the previous secret also signs, in milliseconds. */
export const formerSecret_ms = 24 * 60 * 60 * 1000

/** Whether webhooks may be sent to private addresses, and by plain HTTP to loopback addresses. */
export const WebhooksMayBePrivate = Context.Reference<boolean>("@postcode/gateway/WebhooksMayBePrivate", {
  defaultValue: () => false
})

/**
 * Why a URL is not allowed as an endpoint; undefined if it is. A host name may still resolve to a private address,
 * which is checked when it is resolved.
 *
 * @param url normalized by `URL`, http or https
 */
export const destinationFault = (url: string, mayBePrivate: boolean): string | undefined => {
  const [, scheme, host = ""] = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(url) ?? []
  const name = host.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  const isLocal = name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name)
  if (scheme === "http" && !(mayBePrivate && isLocal)) return "url: expected an address that begins with https://"
  const isAddress = host.startsWith("[") || /^[\d.]+$/.test(name)
  return !mayBePrivate && (isLocal || (isAddress && !isPublicAddress(name)))
    ? "url: expected an address on the public internet"
    : undefined
}

/** The host of an endpoint's URL, with the port unless it is the default. */
export const webhookHost = ({ url }: Pick<WebhookEndpoint, "url">): string => url.split("/")[2] ?? ""

/** The body, the same for each attempt. */
export const webhookBody = ({ at, data, type }: WebhookEvent): string => JSON.stringify({ type, timestamp: at, data })

/** The signed content. */
export const signedContent = (event_id: string, timestamp_s: number, body: string): string =>
  `${event_id}.${timestamp_s}.${body}`

/**
 * The new state of a delivery after an attempt.
 *
 * @param attempt number of the attempt, from 1
 * @param spread jitter from 0 to 1, so that simultaneous failures are not retried simultaneously
 */
export const settlementOf = (answer: WebhookAnswer, attempt: number, now_ms: number, spread: number): Settlement => {
  const told = answer._tag === "Answered" ? { last_status: answer.status } : { fault: answer.fault }
  if (answer._tag === "Answered" && answer.status >= 200 && answer.status < 300) return { status: "delivered", ...told }
  if (answer._tag === "Answered" && answer.status === 410) return { status: "failed", ...told, disables: true }
  const pause_ms = retryDelay_ms(delays_ms, attempt, spread)
  if (pause_ms === undefined) return { status: "failed", ...told }
  const asked_ms = answer._tag === "Answered" ? retryAfter_ms(answer.retry_after, now_ms) : 0
  return { status: "pending", ...told, after_ms: Math.round(Math.max(pause_ms, asked_ms)) }
}

/** The error for one endpoint too many. */
export const tooManyWebhooks = new Conflict({
  message: `an organization has at most ${maxWebhooks} webhooks: remove one that is not needed`
})

/** The error for one pending delivery too many. */
export const tooManyPending = new Conflict({
  message: `${maxPending} deliveries are waiting for this webhook, which is the limit: try again after some of them are sent`
})

/** The error for a retry of a successful delivery. */
export const deliveredAlready = new Conflict({
  message: "it was delivered: only pending and failed deliveries can be sent again"
})

const second_ms = 1_000
const minute_ms = 60 * second_ms
const hour_ms = 60 * minute_ms

/** Minimum delay before each further attempt. */
const delays_ms: ReadonlyArray<number> = [
  5 * second_ms,
  5 * minute_ms,
  30 * minute_ms,
  2 * hour_ms,
  5 * hour_ms,
  10 * hour_ms,
  14 * hour_ms,
  20 * hour_ms
]

/** Maximum `Retry-After` of an endpoint: one day. */
const maxRetryAfter_ms = 24 * hour_ms

/** The value of `Retry-After` in milliseconds: from seconds or an HTTP date; 0 if it is neither. */
const retryAfter_ms = (text: string | undefined, now_ms: number): number => {
  const asked_ms = /^\d{1,9}$/.test(text ?? "")
    ? Number(text) * second_ms
    : httpDate.test(text ?? "")
      ? Date.parse(text ?? "") - now_ms
      : 0
  return Math.min(maxRetryAfter_ms, Math.max(0, asked_ms || 0))
}

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
