/**
 * Listeners: programs that receive an organization's deliveries on a developer's machine, which no server reaches.
 *
 * A listener is a webhook whose deliveries its program asks for. So events are stored for it as for any webhook, and a
 * program that lost its connection, or a service that was restarted, loses none.
 */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, timestamp } from "../audit/audit.ts"
import { Conflict, type InsufficientScope, type NotFound, type Unavailable } from "../Errors.ts"
import { type Manager, permitFound, permitOn } from "../ManagementAccess.ts"
import { spreadOf } from "../outbox/retries.ts"
import { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { signedMessage, unsignedFault } from "./signedMessage.ts"
import {
  listenerTimeout_ms,
  settlementOf,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookEndpoint,
  webhookHost
} from "./Webhook.ts"
import { type LeasedDelivery, WebhookQueue } from "./WebhookQueue.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { Webhooks } from "./Webhooks.ts"
import type { WebhookMessage } from "./WebhookTransport.ts"

/** What a program asks for when it starts to listen. */
export interface ListenRequest {
  /** Where the program posts, on its own machine. Normalized by `URL`, http or https. */
  readonly url: string
  readonly description?: string
  /** The secret that signs: `whsec_` and the base64 of 32 bytes. The program keeps it, so that it stays the same. */
  readonly secret: Redacted.Redacted<string>
}

/** A delivery that a program received, and what came of it. */
export interface ReceivedDelivery {
  readonly delivery_id: string
  readonly lease: number
  /** Absent without a response. */
  readonly status?: number
  /** Why there was no response. */
  readonly fault?: string
}

/** What a program receives. */
export interface Received {
  /** The next delivery, signed; undefined if none is due. */
  readonly next: (WebhookMessage & { readonly delivery: WebhookDelivery; readonly lease: number }) | undefined
  /** The state of the delivery whose result was sent; undefined without one, or if it is gone. */
  readonly settled: WebhookDelivery | undefined
}

type Refused = InsufficientScope | NotFound | Unavailable

/** For a member, listeners of other organizations fail with `NotFound`. */
export interface ListenToWebhooks {
  /** Starts a listener, or resumes it: its id is derived from its secret and its URL. */
  readonly start: (
    organization_id: string,
    request: ListenRequest,
    manager: Manager
  ) => Effect.Effect<WebhookEndpoint, Conflict | Refused>
  /** Settles a delivery, if any, and leases the next one. */
  readonly receive: (
    id: string,
    result: ReceivedDelivery | undefined,
    manager: Manager
  ) => Effect.Effect<Received, Conflict | Refused>
}

type Ports = AuditLog | Secrets | Transactions | WebhookQueue | WebhookSecrets | Webhooks

/** A new listener is audited, deliveries are not. */
export const listenToWebhooks: Effect.Effect<ListenToWebhooks, never, Ports> = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const queue = yield* WebhookQueue
  const secrets = yield* WebhookSecrets
  const { hash } = yield* Secrets
  const withAudit = yield* audited
  const settle = yield* makeSettle

  const next = Effect.fnUntraced(function* (leased: LeasedDelivery | undefined) {
    if (leased === undefined) return undefined
    const message = signedMessage(leased, secrets, yield* Clock.currentTimeMillis)
    if (message !== undefined) return { ...message, delivery: leased.delivery, lease: leased.lease }
    yield* queue.settle(leased, { status: "failed", fault: unsignedFault })
    return undefined
  })

  return {
    start: Effect.fnUntraced(function* (organization_id, { secret, ...request }, manager) {
      yield* permitOn(manager, "startListener", organization_id)
      const id = `whk_${hash(Redacted.make(`${organization_id} ${request.url} ${Redacted.value(secret)}`)).slice(0, 20)}`
      const at = yield* timestamp
      const listener = { id, organization_id, ...request, created_at: at, listened_at: at }
      const silent_since = new Date(Date.parse(at) - listenerTimeout_ms).toISOString()
      yield* withAudit(webhooks.listen(listener, secrets.seal(id, secret), silent_since), (isNew) =>
        isNew ? entryOf(manager.actor, "webhook.listened", listener, { host: webhookHost(listener) }) : undefined
      )
      return listener
    }),

    receive: Effect.fnUntraced(function* (id, result, manager) {
      const endpoint = yield* permitFound(manager, "receiveDelivery", webhooks.get(id), "webhook")
      if (endpoint.listened_at === undefined) return yield* isNoListener
      const settled = result === undefined ? undefined : yield* settle(endpoint, result)
      return { settled, next: yield* next(yield* queue.leaseOfListener(id, lease_ms)) }
    })
  }
})

/** Stores the result of a delivery as that of an attempt at any webhook. 410 does not disable a listener. */
const makeSettle = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const queue = yield* WebhookQueue
  const hashes = yield* Secrets

  return Effect.fnUntraced(function* (
    endpoint: WebhookEndpoint,
    { delivery_id, fault, lease, status }: ReceivedDelivery
  ) {
    const stored = yield* Effect.catchTag(webhooks.delivery(delivery_id), "NotFound", () => Effect.undefined)
    if (stored?.endpoint_id !== endpoint.id) return undefined
    // A result that is sent again, because its response was lost.
    if (stored.status !== "pending") return stored
    const answer: WebhookAnswer =
      status === undefined
        ? { _tag: "NotAnswered", fault: fault ?? "no response" }
        : { _tag: "Answered", status, retry_after: undefined }
    const spread = spreadOf(delivery_id, stored.attempts, hashes)
    const { disables: _, ...settlement } = settlementOf(answer, stored.attempts, yield* Clock.currentTimeMillis, spread)
    yield* queue.settle({ lease, endpoint, delivery: stored }, settlement)
    return yield* Effect.catchTag(webhooks.delivery(delivery_id), "NotFound", () => Effect.undefined)
  })
})

const isNoListener = new Conflict({
  message: "the service sends to this webhook itself: only listeners ask for their deliveries"
})

/** Longer than the 15 s of an attempt and the way back. If the program stops meanwhile, the delivery is due again then. */
const lease_ms = 60_000
