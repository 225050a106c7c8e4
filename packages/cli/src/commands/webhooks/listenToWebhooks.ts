/**
 * `postcode webhooks listen`: receives an organization's deliveries, and posts them to a server on this computer.
 *
 * The service keeps a delivery until its result arrives, so that neither a lost connection nor a restart of the service
 * loses one.
 */
import { hostname } from "node:os"
import type { DataOf, InputOf } from "@postcode/client"
import { webhookEventTypes } from "@postcode/gateway/webhooks/Webhook"
import type { WebhookTransport } from "@postcode/gateway/webhooks/WebhookTransport"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { printable, say, writeData, writeJson } from "@postcode/server/process/Output"
import { counted } from "@postcode/server/process/Progress"
import { Clock, Effect, Result } from "effect"
import { type Call, CallFailure, connect, type ManagementOptions } from "../../management/connect.ts"
import { clockTime } from "../../terminal/LocalTime.ts"
import type { Id, Work } from "../commandsOf.ts"
import { listenerSecret } from "./listenerSecret.ts"
import { postHere } from "./postHere.ts"

/** Ends only if the service refuses, or by an interruption. */
export const listenToWebhooks: Work<Id & { readonly forward: string }> = ({ forward, id }, options) =>
  Effect.gen(function* () {
    const secret = yield* listenerSecret
    const call = yield* connect(options)
    const body = { url: forward, description: `Command line on ${printable(hostname()).slice(0, 150)}`, secret }
    const start = call("POST /v1/admin/organizations/:id/webhook-listeners", { params: { id }, body })
    const listener = yield* start
    yield* sayListening(options, { listener, secret })
    const counts = { delivered: 0, failed: 0 }
    const { post } = yield* postHere(forward)
    yield* Effect.onInterrupt(forever({ call, listener, start, post, options, counts }), () =>
      Effect.andThen(stop(call, listener.id), () =>
        Effect.sync(() =>
          say(`stopped listening; ${counts.delivered} delivered, ${counted(counts.failed, "attempt")} failed`)
        )
      )
    )
  })

type Listener = DataOf<"POST /v1/admin/organizations/:id/webhook-listeners">
type Received = DataOf<"POST /v1/admin/webhooks/:id/receive">
type Leased = NonNullable<Received["next"]>
type DeliveryResult = NonNullable<NonNullable<InputOf<"POST /v1/admin/webhooks/:id/receive">["body"]>["result"]>

interface Listening {
  readonly call: Call
  readonly listener: Listener
  readonly start: Effect.Effect<Listener, CommandFailure>
  readonly post: WebhookTransport["Service"]["post"]
  readonly options: ManagementOptions
  readonly counts: { delivered: number; failed: number }
}

/** A delivery that was posted, and its result. */
interface Posted {
  readonly leased: Leased
  readonly result: DeliveryResult
  readonly duration_ms: number
}

const forever = (listening: Listening): Effect.Effect<never, CommandFailure> =>
  Effect.gen(function* () {
    let posted: Posted | undefined
    let quietSince_ms = yield* Clock.currentTimeMillis
    for (;;) {
      const { next, settled } = yield* received(listening, posted)
      if (posted !== undefined) yield* report(listening, posted, settled)
      posted = next === null ? undefined : yield* postOne(listening, next)
      if (posted !== undefined) quietSince_ms = yield* Clock.currentTimeMillis
      else yield* Effect.sleep(pauseAfter_ms((yield* Clock.currentTimeMillis) - quietSince_ms))
    }
  })

/** In a quiet time, fewer requests are sent, so that many listeners behind one address stay below its rate limit. */
const pauseAfter_ms = (quiet_ms: number): number => Math.min(5_000, Math.max(1_000, quiet_ms / 60))

const postOne = ({ listener, post }: Listening, leased: Leased): Effect.Effect<Posted> =>
  Effect.gen(function* () {
    const started_ms = performance.now()
    const answer = yield* post({ url: listener.url ?? "", headers: leased.headers, body: leased.body })
    const { delivery, lease } = leased
    const outcome = answer._tag === "Answered" ? { status: answer.status } : { fault: answer.fault }
    return {
      leased,
      result: { delivery_id: delivery.id, lease, ...outcome },
      duration_ms: Math.round(performance.now() - started_ms)
    }
  })

/**
 * Sends the result of the last delivery, and receives the next one. If a response was lost, it may have leased a
 * delivery, which resuming the listener releases.
 */
const received = ({ call, listener, start }: Listening, posted: Posted | undefined) =>
  Effect.gen(function* () {
    const body = posted === undefined ? {} : { result: posted.result }
    const receive = call("POST /v1/admin/webhooks/:id/receive", { params: { id: listener.id }, body })
    const { answer, wasLost } = yield* untilReached(receive).pipe(
      Effect.catchIf(isGone, () => Effect.succeed({ answer: nothing, wasLost: true }))
    )
    if (wasLost && answer.next === null) yield* untilReached(start)
    return answer
  })

const nothing: Received = { next: null, settled: null }

/** A listener is removed by a colleague, or after an hour in which the computer was asleep. */
const isGone = (error: CommandFailure): boolean => error instanceof CallFailure && error.status === 404

/** Tries without end while the service does not respond, with growing pauses of up to 30 s. */
const untilReached = <A>(call: Effect.Effect<A, CommandFailure>) =>
  Effect.gen(function* () {
    for (let failures = 0; ; failures++) {
      const outcome = yield* Effect.result(call)
      if (Result.isSuccess(outcome)) {
        if (failures > 0) say("connected again")
        return { answer: outcome.success, wasLost: failures > 0 }
      }
      const error = outcome.failure
      if (!(error instanceof CallFailure && outages.includes(error.status))) return yield* Effect.fail(error)
      if (failures === 0) say(`waiting: ${error.message}`)
      yield* Effect.sleep(Math.min(30_000, 1_000 * 2 ** failures))
    }
  })

/** By status. Without a response it is 0. */
const outages = [0, 429, 500, 502, 503, 504]

/** The listener and its pending deliveries are removed. A service that does not respond removes them after an hour. */
const stop = (call: Call, id: string): Effect.Effect<void> =>
  call("DELETE /v1/admin/webhooks/:id", { params: { id } }).pipe(Effect.timeout(3_000), Effect.ignore)

const sayListening = (options: ManagementOptions, { listener, secret }: { listener: Listener; secret: string }) => {
  const { id, organization_id, url } = listener
  if (options.json) return writeJson({ listening: { id, organization_id, url, secret } })
  return Effect.sync(() => {
    say(`listening to the webhooks of ${organization_id}, and posting them to ${url}; Ctrl-C stops`)
    say(`signed with ${secret}, which stays the same on this computer`)
  })
}

/** One line for each attempt. */
const report = (
  { counts, options }: Listening,
  { duration_ms, leased: { delivery }, result: { fault, status } }: Posted,
  settled: Received["settled"]
): Effect.Effect<void> => {
  const isDelivered = status !== undefined && status >= 200 && status < 300
  counts[isDelivered ? "delivered" : "failed"]++
  const next_attempt_at = settled?.next_attempt_at
  const { attempts, event, event_id, id } = delivery
  if (options.json) {
    return writeJson({
      delivery_id: id,
      event,
      event_id,
      attempt: attempts,
      status,
      fault,
      duration_ms,
      next_attempt_at
    })
  }
  const outcome = `${status ?? fault}  ${duration_ms} ms`
  const again = next_attempt_at === undefined ? "" : `  again at ${clockTime(next_attempt_at)}`
  return writeData(`${clockTime()}  ${event.padEnd(longestEvent)}  ${id}  ${outcome}${again}\n`)
}

const longestEvent = Math.max(...webhookEventTypes.map((type) => type.length))
