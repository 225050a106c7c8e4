/** Sends due deliveries to webhook endpoints while the scope is open. */
import { Cause, Clock, Deferred, Effect, Fiber, Redacted, type Scope } from "effect"
import { Secrets } from "../store/Secrets.ts"
import { type Settlement, settlementOf, signedContent, type WebhookAnswer, webhookBody } from "./Webhook.ts"
import { type LeasedDelivery, WebhookQueue } from "./WebhookQueue.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { WebhookTransport } from "./WebhookTransport.ts"

type Ports = Secrets | WebhookQueue | WebhookSecrets | WebhookTransport

/**
 * Polls every second. When the scope closes, no delivery is started, and active ones have `shutdownTimeout_ms` to
 * finish; unfinished ones are sent again by another process or after a restart.
 */
export const sendWebhooks: Effect.Effect<void, never, Ports | Scope.Scope> = Effect.gen(function* () {
  const queue = yield* WebhookQueue
  const send = yield* makeSend
  const active = new Set<Fiber.Fiber<void>>()
  let ended = Deferred.makeUnsafe<void>()

  const begin = Effect.fnUntraced(function* (leased: LeasedDelivery) {
    const fiber = yield* Effect.forkDetach(send(leased))
    active.add(fiber)
    fiber.addObserver(() => {
      active.delete(fiber)
      Deferred.doneUnsafe(ended, Effect.void)
    })
  })

  const batch = Effect.gen(function* () {
    ended = Deferred.makeUnsafe<void>()
    const free = maxActive - active.size
    const leased = free === 0 || !queue.hasEndpoints() ? [] : yield* queue.lease(free, lease_ms)
    yield* Effect.uninterruptible(Effect.forEach(leased, begin, { discard: true }))
    yield* Effect.raceFirst(Effect.sleep(pause_ms), Deferred.await(ended))
  })
  // An unavailable store is reported elsewhere. A defect must not stop the loop.
  const resilient = Effect.catchCause(batch, (cause) =>
    Effect.andThen(
      Cause.hasDies(cause) ? Effect.logError("due webhooks could not be loaded", cause) : Effect.void,
      Effect.sleep(pause_ms)
    )
  )

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      const rest = [...active]
      return Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(rest), shutdownTimeout_ms), Fiber.interruptAll(rest))
    })
  )
  yield* Effect.forkScoped(Effect.forever(resilient))
})

const pause_ms = 1_000
/** Maximum number of concurrent deliveries, each to another endpoint. */
const maxActive = 16
/** Longer than an attempt and its settlement, also with a slow database. */
const lease_ms = 60_000
/** Upper bound for an attempt, so that it cannot occupy its place forever. The transport has shorter timeouts. */
const attempt_ms = 30_000
const shutdownTimeout_ms = 5_000

/** Sends one delivery once and settles it. */
const makeSend = Effect.gen(function* () {
  const queue = yield* WebhookQueue
  const secrets = yield* WebhookSecrets
  const transport = yield* WebhookTransport
  const { hash } = yield* Secrets

  const attempt = Effect.fnUntraced(function* ({ delivery, endpoint, secrets: sealed }: LeasedDelivery) {
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

  const settlement = Effect.fnUntraced(function* (leased: LeasedDelivery) {
    const { delivery, endpoint } = leased
    if (endpoint.disabled_at !== undefined) return disabled
    const answer = yield* attempt(leased)
    // Pseudo-random but deterministic per attempt.
    const spread = Number.parseInt(hash(Redacted.make(`${delivery.id} ${delivery.attempts}`)).slice(0, 8), 16) / 2 ** 32
    return settlementOf(answer, delivery.attempts, yield* Clock.currentTimeMillis, spread)
  })

  return (leased: LeasedDelivery): Effect.Effect<void> =>
    Effect.flatMap(settlement(leased), (it) => queue.settle(leased, it)).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning(`the result of delivery ${leased.delivery.id} could not be stored`, cause)
      )
    )
})

const unsigned: WebhookAnswer = {
  _tag: "NotAnswered",
  fault: "its secret was encrypted with a service secret that was removed: rotate it"
}

const unanswered: WebhookAnswer = { _tag: "NotAnswered", fault: "no response in time" }

const disabled: Settlement = { status: "failed", fault: "the endpoint returned 410 and was disabled" }
