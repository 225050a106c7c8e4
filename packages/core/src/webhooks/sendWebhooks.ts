/** Send what is due to the endpoints of webhooks, for as long as the scope is open. */
import { Cause, Clock, Deferred, Effect, Fiber, Redacted, type Scope } from "effect"
import { Secrets } from "../store/Secrets.ts"
import { type Settlement, settlementOf, signedContent, type WebhookAnswer, webhookBody } from "./Webhook.ts"
import { type LeasedDelivery, WebhookQueue } from "./WebhookQueue.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { WebhookTransport } from "./WebhookTransport.ts"

type Ports = Secrets | WebhookQueue | WebhookSecrets | WebhookTransport

/**
 * Looks each second for what is due. When the scope closes, nothing more is begun, and what is on its way has a few
 * seconds to end; what has not ended then is sent again by another process, or after the next start.
 */
export const sendWebhooks: Effect.Effect<void, never, Ports | Scope.Scope> = Effect.gen(function* () {
  const queue = yield* WebhookQueue
  const send = yield* makeSend
  const underWay = new Set<Fiber.Fiber<void>>()
  let ended = Deferred.makeUnsafe<void>()

  const begin = Effect.fnUntraced(function* (leased: LeasedDelivery) {
    const fiber = yield* Effect.forkDetach(send(leased))
    underWay.add(fiber)
    fiber.addObserver(() => {
      underWay.delete(fiber)
      Deferred.doneUnsafe(ended, Effect.void)
    })
  })

  const round = Effect.gen(function* () {
    ended = Deferred.makeUnsafe<void>()
    const free = mostUnderWay - underWay.size
    const leased = free === 0 ? [] : yield* queue.lease(free, lease_ms)
    yield* Effect.uninterruptible(Effect.forEach(leased, begin, { discard: true }))
    yield* Effect.raceFirst(Effect.sleep(pause_ms), Deferred.await(ended))
  })
  // A store that is away says so wherever else it is asked; a mistake of ours must not end it for good.
  const patient = Effect.catchCause(round, (cause) =>
    Effect.andThen(
      Cause.hasDies(cause) ? Effect.logError("webhooks that are due were not found", cause) : Effect.void,
      Effect.sleep(pause_ms)
    )
  )

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      const rest = [...underWay]
      return Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(rest), patience_ms), Fiber.interruptAll(rest))
    })
  )
  yield* Effect.forkScoped(Effect.forever(patient))
})

const pause_ms = 1_000
/** Deliveries at the same time, each to another endpoint. */
const mostUnderWay = 16
/** Longer than an attempt takes and its end is written, also to a database that is slow to answer. */
const lease_ms = 60_000
/** Whatever becomes of an attempt, it must not keep its place for ever. The way there has shorter times of its own. */
const attempt_ms = 30_000
const patience_ms = 5_000

/** Sends one delivery once, and settles it. */
const makeSend = Effect.gen(function* () {
  const queue = yield* WebhookQueue
  const secrets = yield* WebhookSecrets
  const transport = yield* WebhookTransport
  const { hash } = yield* Secrets

  const attempt = Effect.fnUntraced(function* ({ delivery, endpoint, secrets: sealed }: LeasedDelivery) {
    const now_ms = yield* Clock.currentTimeMillis
    const timestamp_s = Math.floor(now_ms / 1_000)
    const body = webhookBody(delivery.event)
    const inForce =
      sealed.former !== undefined && now_ms < Date.parse(endpoint.former_secret_until ?? "")
        ? [sealed.present, sealed.former]
        : [sealed.present]
    const content = signedContent(delivery.event.id, timestamp_s, body)
    const signatures = inForce.flatMap((one) => secrets.sign(one, endpoint.id, content) ?? [])
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
    // As good as random, and the same whoever asks.
    const spread = Number.parseInt(hash(Redacted.make(`${delivery.id} ${delivery.attempts}`)).slice(0, 8), 16) / 2 ** 32
    return settlementOf(answer, delivery.attempts, yield* Clock.currentTimeMillis, spread)
  })

  return (leased: LeasedDelivery): Effect.Effect<void> =>
    Effect.flatMap(settlement(leased), (it) => queue.settle(leased, it)).pipe(
      Effect.catchCause((cause) => Effect.logWarning(`delivery ${leased.delivery.id} was not settled`, cause))
    )
})

const unsigned: WebhookAnswer = {
  _tag: "NotAnswered",
  fault: "its secret was sealed under a secret of the service that is gone: rotate it"
}

const unanswered: WebhookAnswer = { _tag: "NotAnswered", fault: "it did not answer in time" }

const disabled: Settlement = { status: "failed", fault: "the endpoint is disabled, since it answered 410" }
