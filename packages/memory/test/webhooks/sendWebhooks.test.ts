/** What is sent when, on a clock that moves when it is told to, over a way that answers as a test wants. */
import { assert, describe, it } from "@effect/vitest"
import { newTestEvent, storedOrganization, storedWebhook } from "@postcode/conformance"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { manageWebhooks } from "@postcode/gateway/webhooks/manageWebhooks"
import { sendWebhooks } from "@postcode/gateway/webhooks/sendWebhooks"
import type { WebhookAnswer } from "@postcode/gateway/webhooks/Webhook"
import { WebhookSecrets } from "@postcode/gateway/webhooks/WebhookSecrets"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { type WebhookMessage, WebhookTransport } from "@postcode/gateway/webhooks/WebhookTransport"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { atNoon, ports } from "../Store.ts"

/** Secrets are numbers, and a signature says which one it is by; that of the secret `gone` cannot be made. */
const layerWebhookSecrets = Layer.sync(WebhookSecrets, () => {
  let count = 0
  return {
    make: () => {
      const sealed = `secret-${++count}`
      return { sealed, secret: Redacted.make(sealed) }
    },
    seal: (_, secret) => Redacted.value(secret),
    sign: (sealed, endpoint_id, content) =>
      sealed === "gone" ? undefined : `${sealed}(${endpoint_id},${content.length})`
  }
})

const answered = (status: number): WebhookAnswer => ({ _tag: "Answered", status, retry_after: undefined })

/** The way to receivers that answer like this, and all that went over it. */
const receivers = (answer: (message: WebhookMessage, count: number) => Effect.Effect<WebhookAnswer>) => {
  const sent: Array<WebhookMessage> = []
  const layer = Layer.succeed(WebhookTransport, {
    post: (message) => Effect.suspend(() => answer(message, sent.push(message)))
  })
  return { sent, layer: Layer.mergeAll(ports, layer, layerWebhookSecrets) }
}

const oneEndpoint = Effect.fnUntraced(function* (sealed?: string, fields: { readonly url?: string } = {}) {
  const { id } = yield* storedOrganization()
  return yield* storedWebhook(id, fields, sealed)
})

const enqueue = (endpoint_id: string) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.enqueue(endpoint_id, newTestEvent()))

const deliveryOf = (id: string) => Effect.flatMap(Webhooks, (webhooks) => webhooks.delivery(id))

/** Moves the clock, and lets all that is due then happen. */
const pass = (duration_ms: number) =>
  Effect.andThen(TestClock.adjust(duration_ms), Effect.repeat(Effect.promise(immediate), { times: 20 }))
const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Sends until the test is over; then time passes for what has not ended. */
const sending = Effect.gen(function* () {
  const scope = yield* Scope.make()
  yield* Effect.provideService(sendWebhooks, Scope.Scope, scope)
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* pass(6 * second_ms)
      yield* Fiber.join(stopping)
    })
  )
})
const second_ms = 1_000
const hour_ms = 3_600_000

/** Sends what is due by now, and no more. */
const sendDue = Effect.scoped(Effect.andThen(sending, pass(0)))

describe("sendWebhooks", () => {
  it.effect("a due delivery is sent within a second, with id, time and signature", () => {
    const { layer, sent } = receivers(() => Effect.succeed(answered(204)))
    return Effect.gen(function* () {
      yield* atNoon
      const endpoint = yield* oneEndpoint("present", { url: "https://example.com/a" })
      yield* sending
      yield* pass(0)
      const { event, id } = yield* enqueue(endpoint.id)
      yield* pass(second_ms)
      const body = JSON.stringify({ type: "webhook.test", timestamp: event.at, data: event.data })
      const timestamp_s = Date.parse("2026-01-31T12:00:01Z") / 1_000
      const length = `${event.id}.${timestamp_s}.${body}`.length
      assert.deepStrictEqual(sent, [
        {
          url: "https://example.com/a",
          headers: {
            "content-type": "application/json",
            "webhook-id": event.id,
            "webhook-timestamp": String(timestamp_s),
            "webhook-signature": `present(${endpoint.id},${length})`
          },
          body
        }
      ])
      assert.deepInclude(yield* deliveryOf(id), { status: "delivered", attempts: 1, last_status: 204 })
      yield* pass(60 * second_ms)
      assert.strictEqual(sent.length, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("an unavailable endpoint gets nine attempts in about 52 hours, with the same id and body", () => {
    const { layer, sent } = receivers(() => Effect.succeed(answered(500)))
    return Effect.gen(function* () {
      yield* atNoon
      const { event, id } = yield* enqueue((yield* oneEndpoint()).id)
      const pauses_s: Array<number> = []
      for (let pause_ms = 1; pause_ms > 0; ) {
        yield* pass(pause_ms)
        yield* sendDue
        const { last_attempt_at = "", next_attempt_at = last_attempt_at } = yield* deliveryOf(id)
        pause_ms = Date.parse(next_attempt_at) - Date.parse(last_attempt_at)
        pauses_s.push(pause_ms / second_ms)
      }
      const least_s = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 0]
      assert.strictEqual(pauses_s.length, least_s.length)
      for (const [i, pause_s] of pauses_s.entries()) {
        assert.isAtLeast(pause_s, least_s[i] as number)
        assert.isAtMost(pause_s, (least_s[i] as number) * 1.2)
      }
      assert.isAbove(new Set(pauses_s.map((pause_s, i) => pause_s / (least_s[i] as number))).size, 5)
      yield* pass(1_000 * hour_ms)
      yield* sendDue
      assert.deepInclude(yield* deliveryOf(id), { status: "failed", attempts: 9, last_status: 500 })
      assert.deepStrictEqual(
        sent.map(({ headers }) => headers["webhook-id"]),
        least_s.map(() => event.id)
      )
      assert.strictEqual(new Set(sent.map(({ body }) => body)).size, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("both secrets sign for 24 hours after a rotation, and then only the new one", () => {
    const { layer, sent } = receivers(() => Effect.succeed(answered(200)))
    return Effect.gen(function* () {
      yield* atNoon
      const manage = yield* manageWebhooks
      const { id } = yield* storedOrganization()
      const { endpoint } = yield* manage.create(id, { url: "https://example.com/" }, tokenManager)
      const signers = Effect.gen(function* () {
        yield* manage.test(endpoint.id, tokenManager)
        yield* sendDue
        return sent.at(-1)?.headers["webhook-signature"]?.replace(/\(\S*/g, "")
      })
      assert.strictEqual(yield* signers, "secret-1")
      const { endpoint: rotated } = yield* manage.rotate(endpoint.id, tokenManager)
      const end_ms = Date.parse(rotated.former_secret_until ?? "")
      assert.strictEqual(end_ms - (yield* Clock.currentTimeMillis), 24 * hour_ms)
      assert.strictEqual(yield* signers, "secret-2 secret-1")
      yield* TestClock.setTime(end_ms - 1)
      assert.strictEqual(yield* signers, "secret-2 secret-1")
      assert.isAtLeast(yield* Clock.currentTimeMillis, end_ms)
      assert.strictEqual(yield* signers, "secret-2")
    }).pipe(Effect.provide(layer))
  })

  it.effect("410 disables the endpoint, fails its pending deliveries, and no test event can be sent", () => {
    const { layer, sent } = receivers(() => Effect.succeed(answered(410)))
    return Effect.gen(function* () {
      yield* atNoon
      const endpoint = yield* oneEndpoint()
      const [first, second] = [yield* enqueue(endpoint.id), yield* enqueue(endpoint.id)]
      yield* sending
      yield* pass(second_ms)
      assert.strictEqual(sent.length, 1)
      assert.deepInclude(yield* deliveryOf(first.id), { status: "failed", last_status: 410 })
      const { fault, status } = yield* deliveryOf(second.id)
      assert.deepStrictEqual([status, fault], ["failed", "the endpoint returned 410 and was disabled"])
      const manage = yield* manageWebhooks
      for (const refused of [manage.test(endpoint.id, tokenManager), manage.retry(first.id, tokenManager)]) {
        assert.strictEqual((yield* Effect.flip(refused))._tag, "Conflict")
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect("a delivery that cannot be signed is not sent, and has the reason", () => {
    const { layer, sent } = receivers(() => Effect.succeed(answered(200)))
    return Effect.gen(function* () {
      yield* atNoon
      const { id } = yield* enqueue((yield* oneEndpoint("gone")).id)
      yield* sending
      yield* pass(second_ms)
      const { fault, status } = yield* deliveryOf(id)
      assert.deepStrictEqual(
        [status, fault?.split(":")[0]],
        ["pending", "its secret was encrypted with a service secret that was removed"]
      )
      assert.deepStrictEqual(sent, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("16 endpoints get a delivery at the same time, and each response starts the next one", () => {
    const waiting = new Map<string, Deferred.Deferred<WebhookAnswer>>()
    const { layer, sent } = receivers(({ url }) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<WebhookAnswer>()
        waiting.set(url, answer)
        return Deferred.await(answer)
      })
    )
    return Effect.gen(function* () {
      yield* atNoon
      for (let i = 0; i < 20; i++) {
        const { id } = yield* oneEndpoint("sealed", { url: `https://example.com/${i}` })
        yield* enqueue(id)
        yield* enqueue(id)
      }
      yield* sending
      yield* pass(10 * second_ms)
      const urls = () => sent.map(({ url }) => Number(url.split("/").at(-1)))
      assert.deepStrictEqual(
        urls(),
        Array.from({ length: 16 }, (_, i) => i)
      )
      for (const url of ["https://example.com/3", "https://example.com/5"]) {
        Deferred.doneUnsafe(waiting.get(url) as Deferred.Deferred<WebhookAnswer>, Effect.succeed(answered(200)))
        yield* pass(1)
      }
      assert.strictEqual(sent.length, 18)
      assert.strictEqual(new Set(urls().slice(16)).size, 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("an endpoint that does not respond does not delay others", () => {
    const { layer, sent } = receivers(({ url }) =>
      url.endsWith("slow") ? Effect.never : Effect.succeed(answered(200))
    )
    return Effect.gen(function* () {
      yield* atNoon
      const slow = yield* oneEndpoint("sealed", { url: "https://example.com/slow" })
      const quick = yield* oneEndpoint("sealed", { url: "https://example.com/quick" })
      for (let i = 0; i < 40; i++) yield* enqueue(slow.id)
      for (let i = 0; i < 5; i++) yield* enqueue(quick.id)
      yield* sending
      yield* pass(second_ms)
      assert.deepStrictEqual(
        ["slow", "quick"].map((name) => sent.filter(({ url }) => url.endsWith(name)).length),
        [1, 5]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("a delivery without a response fails after 30 s, and another one starts", () => {
    const { layer, sent } = receivers(({ url }) =>
      url.endsWith("quick") ? Effect.succeed(answered(200)) : Effect.never
    )
    return Effect.gen(function* () {
      yield* atNoon
      const slow = yield* Effect.replicateEffect(
        Effect.flatMap(oneEndpoint(), ({ id }) => enqueue(id)),
        16
      )
      yield* sending
      yield* pass(second_ms)
      const quick = yield* enqueue((yield* oneEndpoint("sealed", { url: "https://example.com/quick" })).id)
      yield* pass(28 * second_ms)
      assert.strictEqual(sent.length, 16)
      yield* pass(2 * second_ms)
      assert.deepInclude(yield* deliveryOf(quick.id), { status: "delivered" })
      for (const { id } of slow) {
        assert.deepInclude(yield* deliveryOf(id), {
          status: "pending",
          attempts: 1,
          fault: "no response in time"
        })
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "when it stops it starts nothing, settles what ends in time, and leaves other deliveries to their leases",
    () => {
      const answer = Deferred.makeUnsafe<WebhookAnswer>()
      const { layer, sent } = receivers(({ url }) => (url.endsWith("slow") ? Effect.never : Deferred.await(answer)))
      return Effect.gen(function* () {
        yield* atNoon
        const slow = yield* enqueue((yield* oneEndpoint("sealed", { url: "https://example.com/slow" })).id)
        const quick = yield* enqueue((yield* oneEndpoint("sealed", { url: "https://example.com/quick" })).id)
        const scope = yield* Scope.make()
        yield* Effect.provideService(sendWebhooks, Scope.Scope, scope)
        yield* pass(second_ms)
        assert.strictEqual(sent.length, 2)
        const stopped = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* pass(second_ms)
        Deferred.doneUnsafe(answer, Effect.succeed(answered(200)))
        yield* enqueue((yield* oneEndpoint()).id)
        yield* pass(4 * second_ms)
        assert.isDefined(stopped.pollUnsafe())
        assert.strictEqual(sent.length, 2)
        assert.deepInclude(yield* deliveryOf(quick.id), { status: "delivered" })
        assert.deepInclude(yield* deliveryOf(slow.id), { status: "pending", attempts: 1 })
      }).pipe(Effect.provide(layer))
    }
  )
})
