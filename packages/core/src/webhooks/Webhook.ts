/**
 * Webhooks: what an organization is told of, where, and what becomes of each attempt. They follow the convention of
 * Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and a body with `type`,
 * `timestamp` and `data`.
 */
import { Context } from "effect"
import type { Environment } from "../credits/Credits.ts"
import { Conflict } from "../Errors.ts"
import { isLoopbackAddress, isPublicAddress } from "./NetworkAddress.ts"

/** `credits.low`: a balance fell below its threshold. `webhook.test`: someone asked for it. */
export const webhookEventTypes = ["credits.low", "webhook.test"] as const

/** What an organization is told of. */
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Something that an organization is told. Its id is the `webhook-id` of each attempt, to each endpoint. */
export interface WebhookEvent {
  readonly id: string
  readonly type: WebhookEventType
  /** ISO 8601, UTC. */
  readonly at: string
  readonly data: Readonly<Record<string, string | number>>
}

/** Where an organization wants to be told. */
export interface WebhookEndpoint {
  readonly id: string
  readonly organization_id: string
  /** As `URL` writes it. */
  readonly url: string
  readonly description?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** Until when the secret before the present one signs as well. */
  readonly former_secret_until?: string
  /** Since when nothing is sent there any more, because it answered 410. */
  readonly disabled_at?: string
}

/** The secrets of an endpoint, as they are stored. */
export interface SealedSecrets {
  readonly present: string
  /** The one before; it counts until the endpoint's `former_secret_until`. */
  readonly former?: string
}

/** All that `DeliveryStatus` may be. */
export const deliveryStatuses = ["pending", "delivered", "failed"] as const

/** Where a message to an endpoint stands. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One event on its way to one endpoint. */
export interface WebhookDelivery {
  readonly id: string
  readonly endpoint_id: string
  readonly event: WebhookEvent
  readonly status: DeliveryStatus
  /** How many were begun. */
  readonly attempts: number
  /** What the last attempt was answered; absent if it was not. */
  readonly last_status?: number
  /** Why the last attempt was not answered, in words. */
  readonly fault?: string
  /** ISO 8601, UTC; of the last attempt that came to an end. */
  readonly last_attempt_at?: string
  /** Of one that is pending. */
  readonly next_attempt_at?: string
}

/** What came of an attempt. */
export type WebhookAnswer =
  | { readonly _tag: "Answered"; readonly status: number; readonly retry_after: string | undefined }
  | { readonly _tag: "NotAnswered"; readonly fault: string }

/** What an attempt leads to. */
export interface Settlement {
  readonly status: DeliveryStatus
  /** Until the next attempt, of one that stays pending. */
  readonly after_ms?: number
  readonly last_status?: number
  readonly fault?: string
  /** Whether nothing is sent to the endpoint any more. */
  readonly disables?: true
}

/** The most endpoints that an organization has. */
export const maximumWebhooks = 10

/** The most deliveries that wait for an endpoint: somebody who makes events for nobody to take must not fill the store. */
export const maximumPending = 500

/** How many deliveries of an endpoint that are settled are kept, the newest. */
export const keptDeliveries = 1_000

/** For how long the secret before signs as well. */
export const formerSecret_ms = 24 * 60 * 60 * 1000

/** Whether webhooks may go to private addresses, and by plain HTTP to this machine. */
export const WebhooksMayBePrivate = Context.Reference<boolean>("@postcode/core/WebhooksMayBePrivate", {
  defaultValue: () => false
})

/**
 * What is wrong with where a webhook is to go; undefined if nothing is. A name may still lead to a private address, which
 * shows only when it is resolved.
 *
 * @param url as `URL` writes it, http or https
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

/** The host of an endpoint's address, with its port unless that is the scheme's. */
export const webhookHost = ({ url }: Pick<WebhookEndpoint, "url">): string => url.split("/")[2] ?? ""

/** What is sent, the same on each attempt. */
export const webhookBody = ({ at, data, type }: WebhookEvent): string => JSON.stringify({ type, timestamp: at, data })

/** What a signature is of. */
export const signedContent = (event_id: string, timestamp_s: number, body: string): string =>
  `${event_id}.${timestamp_s}.${body}`

/**
 * What an attempt leads to.
 *
 * @param attempt which one it was, from 1
 * @param spread from 0 to 1, so that what failed together is not sent again together
 */
export const settlementOf = (answer: WebhookAnswer, attempt: number, now_ms: number, spread: number): Settlement => {
  const told = answer._tag === "Answered" ? { last_status: answer.status } : { fault: answer.fault }
  if (answer._tag === "Answered" && answer.status >= 200 && answer.status < 300) return { status: "delivered", ...told }
  if (answer._tag === "Answered" && answer.status === 410) return { status: "failed", ...told, disables: true }
  const pause_ms = pauses_ms[attempt - 1]
  if (pause_ms === undefined) return { status: "failed", ...told }
  const asked_ms = answer._tag === "Answered" ? retryAfter_ms(answer.retry_after, now_ms) : 0
  return { status: "pending", ...told, after_ms: Math.round(Math.max(pause_ms * (1 + spread * jitter), asked_ms)) }
}

/** Why another endpoint is refused. */
export const tooManyWebhooks = new Conflict({
  message: `an organization has at most ${maximumWebhooks} webhooks: remove one that is not needed`
})

/** Why an endpoint is sent nothing more for now. */
export const tooManyPending = new Conflict({
  message: `${maximumPending} deliveries wait for this webhook: it is sent nothing more until some of them are settled`
})

/** Why a delivery is not sent again. */
export const deliveredAlready = new Conflict({
  message: "it was delivered: only what is pending or has failed can be sent again"
})

/** The event of a balance below its threshold, as an organization is told of it. */
export interface LowBalance extends Readonly<Record<string, string | number>> {
  readonly organization_id: string
  readonly environment: Environment
  readonly balance: number
  readonly threshold: number
}

const second_ms = 1_000
const minute_ms = 60 * second_ms
const hour_ms = 60 * minute_ms

/** What passes before each further attempt, at least. */
const pauses_ms: ReadonlyArray<number> = [
  5 * second_ms,
  5 * minute_ms,
  30 * minute_ms,
  2 * hour_ms,
  5 * hour_ms,
  10 * hour_ms,
  14 * hour_ms,
  20 * hour_ms
]

/** A pause is up to so much longer. */
const jitter = 0.2

/** An endpoint may put the next attempt off by a day, but not for ever. */
const longestRetryAfter_ms = 24 * hour_ms

/** What `Retry-After` asks for: seconds, or a date as HTTP writes it; 0 if it is neither. */
const retryAfter_ms = (text: string | undefined, now_ms: number): number => {
  const asked_ms = /^\d{1,9}$/.test(text ?? "")
    ? Number(text) * second_ms
    : httpDate.test(text ?? "")
      ? Date.parse(text ?? "") - now_ms
      : 0
  return Math.min(longestRetryAfter_ms, Math.max(0, asked_ms || 0))
}

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
