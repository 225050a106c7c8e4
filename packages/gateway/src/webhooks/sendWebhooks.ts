/** Sends due deliveries to webhook endpoints while the scope is open. */
import { Clock, Effect, type Scope } from "effect"
import { spreadOf } from "../outbox/retries.ts"
import { attempt_ms, sendDue } from "../outbox/sendDue.ts"
import { Secrets } from "../store/Secrets.ts"
import { type Settlement, settlementOf, signedContent, type WebhookAnswer, webhookBody } from "./Webhook.ts"
import { type LeasedDelivery, WebhookQueue } from "./WebhookQueue.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { WebhookTransport } from "./WebhookTransport.ts"

type Ports = Secrets | WebhookQueue | WebhookSecrets | WebhookTransport

/** Each endpoint gets one delivery at a time, see `WebhookQueue`. */
export const sendWebhooks: Effect.Effect<void, never, Ports | Scope.Scope> = Effect.gen(function* () {
  const { hasEndpoints, lease, settle } = yield* WebhookQueue
  const attempt = yield* makeAttempt
  yield* sendDue({ name: "webhooks", concurrency, hasWork: hasEndpoints, lease, attempt, settle })
})

/** Each to another endpoint. */
const concurrency = 16

/** Sends one delivery once. */
const makeAttempt = Effect.gen(function* () {
  const secrets = yield* WebhookSecrets
  const transport = yield* WebhookTransport
  const hashes = yield* Secrets

  const post = Effect.fnUntraced(function* ({ delivery, endpoint, secrets: sealed }: LeasedDelivery) {
    const now_ms = yield* Clock.currentTimeMillis
    const timestamp_s = Math.floor(now_ms / 1_000)
    const body = webhookBody(delivery.event)
    const sealedSecrets =
      sealed.former !== undefined && now_ms < Date.parse(endpoint.former_secret_until ?? "")
        ? [sealed.present, sealed.former]
        : [sealed.present]
    const content = signedContent(delivery.event.id, timestamp_s, body)
    const signatures = sealedSecrets.flatMap((one) => secrets.sign(one, endpoint.id, content) ?? [])
    if (signatures.length === 0) return unsigned
    const headers = {
      "content-type": "application/json",
      "webhook-id": delivery.event.id,
      "webhook-timestamp": String(timestamp_s),
      "webhook-signature": signatures.join(" ")
    }
    return yield* Effect.timeoutOrElse(transport.post({ url: endpoint.url, headers, body }), {
      duration: attempt_ms,
      orElse: () => Effect.succeed(unanswered)
    })
  })

  return Effect.fnUntraced(function* (leased: LeasedDelivery) {
    const { delivery, endpoint } = leased
    if (endpoint.disabled_at !== undefined) return disabled
    const answer = yield* post(leased)
    const spread = spreadOf(delivery.id, delivery.attempts, hashes)
    return settlementOf(answer, delivery.attempts, yield* Clock.currentTimeMillis, spread)
  })
})

const unsigned: WebhookAnswer = {
  _tag: "NotAnswered",
  fault: "its secret was encrypted with a service secret that was removed: rotate it"
}

const unanswered: WebhookAnswer = { _tag: "NotAnswered", fault: "no response in time" }

const disabled: Settlement = { status: "failed", fault: "the endpoint returned 410 and was disabled" }
