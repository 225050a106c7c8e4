/** Sends due deliveries to webhook endpoints while the scope is open. */
import { Clock, Effect, type Scope } from "effect"
import { spreadOf } from "../outbox/retries.ts"
import { attempt_ms, sendDue } from "../outbox/sendDue.ts"
import { Secrets } from "../store/Secrets.ts"
import { signedMessage, unsignedFault } from "./signedMessage.ts"
import { type Settlement, settlementOf, type WebhookAnswer } from "./Webhook.ts"
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

  const post = Effect.fnUntraced(function* (leased: LeasedDelivery) {
    const message = signedMessage(leased, secrets, yield* Clock.currentTimeMillis)
    if (message === undefined) return unsigned
    return yield* Effect.timeoutOrElse(transport.post(message), {
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

const unsigned: WebhookAnswer = { _tag: "NotAnswered", fault: unsignedFault }

const unanswered: WebhookAnswer = { _tag: "NotAnswered", fault: "no response in time" }

const disabled: Settlement = { status: "failed", fault: "the endpoint returned 410 and was disabled" }
