/** Conformance suite of the port `WebhookQueue`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { type LeasedDelivery, WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { storedOrganization } from "../../fixtures/Records.ts"
import { newListener, newTestEvent, storedWebhook } from "./WebhooksSuite.ts"

type Ports = Organizations | WebhookQueue | Webhooks
type It = Vitest.MethodsNonLive<Ports>

/** What the suite needs of an adapter. */
export interface QueueOptions {
  /** Advances the clock of the adapter and its queue. */
  readonly advance: (duration_ms: number) => Effect.Effect<void, unknown>
}

/**
 * Registers the tests of the port `WebhookQueue`.
 *
 * @param adapter a queue that nothing else takes from
 */
export const webhookQueueSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>, options: QueueOptions): void =>
  layer(adapter, { excludeTestServices: true })(`WebhookQueue ${name}`, (it) => {
    addLeaseTests(it, options)
    addSettlementTests(it, options)
    addFairnessTests(it)
    addRaceTests(it)
    addRetryTests(it, options)
    addListenerTests(it, options)
  })

const addLeaseTests = (it: It, { advance }: QueueOptions): void => {
  it.effect("a leased delivery has its endpoint, secrets and event, and its attempt is counted", () =>
    Effect.gen(function* () {
      const { endpoint, enqueue } = yield* openEndpoint("sealed 1")
      const webhooks = yield* Webhooks
      const delivery = yield* enqueue
      const [first, ...none] = yield* leaseAll
      assert.deepStrictEqual(none, [])
      assert.deepStrictEqual(first?.endpoint, endpoint)
      assert.deepStrictEqual(first?.secrets, { present: "sealed 1" })
      assert.deepInclude(first?.delivery, { id: delivery.id, event: delivery.event, status: "pending", attempts: 1 })
      yield* settle(first, { status: "delivered", last_status: 200 })
      const rotated = yield* webhooks.rotate(endpoint.id, "sealed 2", "2026-03-01T00:00:00.000Z")
      yield* enqueue
      const [second] = yield* leaseAll
      assert.deepStrictEqual(second?.endpoint, rotated)
      assert.deepStrictEqual(second?.secrets, { present: "sealed 2", former: "sealed 1" })
      yield* settle(second, { status: "delivered" })
    })
  )

  it.effect("a leased delivery is leased only once, also to concurrent senders", () =>
    Effect.gen(function* () {
      const endpoints = yield* Effect.replicateEffect(openEndpoint(), 12)
      const wanted = yield* Effect.forEach(endpoints, ({ enqueue }) => enqueue)
      const leased = yield* Effect.replicateEffect(leaseSome(3), 20, { concurrency: "unbounded" })
      const rest = yield* leaseAll
      const all = [...leased.flat(), ...rest]
      assert.sameMembers(
        all.map(({ delivery }) => delivery.id),
        wanted.map(({ id }) => id)
      )
      yield* Effect.forEach(all, (one) => settle(one, { status: "delivered" }))
    })
  )

  it.effect("an expired lease is leased again, with the same ids; the earlier lease settles nothing", () =>
    Effect.gen(function* () {
      const { enqueue } = yield* openEndpoint()
      const { id } = yield* enqueue
      const [lost] = yield* leaseAll
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* advance(lease_ms + 1)
      const [found] = yield* leaseAll
      assert.deepStrictEqual(found?.delivery.event, lost?.delivery.event)
      assert.deepInclude(found?.delivery, { id, attempts: 2 })
      yield* settle(lost, { status: "delivered", last_status: 200 })
      assert.deepInclude(yield* (yield* Webhooks).delivery(id), { status: "pending" })
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* settle(found, { status: "failed", last_status: 500 })
      assert.deepInclude(yield* (yield* Webhooks).delivery(id), { status: "failed", last_status: 500, attempts: 2 })
    })
  )

  it.effect("settling does nothing after the endpoint was removed", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { endpoint, enqueue } = yield* openEndpoint()
      const { id } = yield* enqueue
      const [leased] = yield* leaseAll
      yield* webhooks.remove(endpoint.id)
      yield* settle(leased, { status: "pending", after_ms: 0 })
      yield* failsWith(webhooks.delivery(id), "NotFound")
      assert.deepStrictEqual(yield* leaseAll, [])
    })
  )
}

const addSettlementTests = (it: It, { advance }: QueueOptions): void => {
  it.effect("a delivered or failed delivery is not due again, and contains the result of the last attempt", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { enqueue } = yield* openEndpoint()
      const outcomes = [
        { status: "delivered", last_status: 204 },
        { status: "failed", fault: "the connection was refused" }
      ] as const
      for (const outcome of outcomes) {
        const { id } = yield* enqueue
        const [leased] = yield* leaseAll
        yield* settle(leased, outcome)
        const { last_attempt_at = "", ...settled } = yield* webhooks.delivery(id)
        assert.strictEqual(new Date(last_attempt_at).toISOString(), last_attempt_at)
        assert.deepInclude(settled, { ...outcome, attempts: 1 })
        assert.notProperty(settled, "next_attempt_at")
        assert.notProperty(settled, outcome.status === "failed" ? "last_status" : "fault")
        yield* advance(lease_ms + 1)
        assert.deepStrictEqual(yield* leaseAll, [])
      }
    })
  )

  it.effect("a delayed delivery is due after its delay, and not before", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { enqueue } = yield* openEndpoint()
      const { id, next_attempt_at: first = "" } = yield* enqueue
      const [leased] = yield* leaseAll
      yield* settle(leased, { status: "pending", after_ms: 3_600_000, last_status: 503 })
      const { next_attempt_at = "" } = yield* webhooks.delivery(id)
      assert.isAtLeast(Date.parse(next_attempt_at) - Date.parse(first), 3_600_000)
      yield* advance(3_590_000)
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* advance(10_001)
      const [again] = yield* leaseAll
      assert.deepInclude(again?.delivery, { id, attempts: 2, last_status: 503 })
      yield* settle(again, { status: "delivered" })
    })
  )

  it.effect(
    "a disabled endpoint contains the time, gets no new events of its organization, and keeps its other deliveries",
    () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { endpoint, enqueue } = yield* openEndpoint()
        yield* enqueue
        yield* enqueue
        const [leased] = yield* leaseAll
        yield* settle(leased, { status: "failed", last_status: 410, disables: true })
        const { disabled_at = "", ...rest } = yield* webhooks.get(endpoint.id)
        assert.deepStrictEqual(rest, endpoint)
        assert.strictEqual(new Date(disabled_at).toISOString(), disabled_at)
        const [other] = yield* leaseAll
        assert.strictEqual(other?.endpoint.disabled_at, disabled_at)
        yield* settle(other, { status: "failed" })
      })
  )
}

const addFairnessTests = (it: It): void => {
  it.effect("an endpoint has one leased delivery, its oldest; an endpoint with many does not delay others", () =>
    Effect.gen(function* () {
      const [busy, quiet] = [yield* openEndpoint(), yield* openEndpoint()]
      const queued = yield* Effect.replicateEffect(busy.enqueue, 30)
      const last = yield* quiet.enqueue
      const leased = yield* leaseSome(2)
      assert.deepStrictEqual(idsOf(leased), [queued[0]?.id, last.id])
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* settle(leased[0], { status: "delivered" })
      const [next, ...none] = yield* leaseAll
      assert.strictEqual(next?.delivery.id, queued[1]?.id)
      assert.deepStrictEqual(none, [])
      yield* settle(leased[1], { status: "delivered" })
      yield* (yield* Webhooks).remove(busy.endpoint.id)
    })
  )

  it.effect("endpoints are served round robin, not by the age of their deliveries", () =>
    Effect.gen(function* () {
      const [busy, quiet] = [yield* openEndpoint(), yield* openEndpoint()]
      const queued = yield* Effect.replicateEffect(busy.enqueue, 3)
      const only = yield* quiet.enqueue
      const served: Array<string> = []
      for (let leased = yield* leaseSome(1); leased.length > 0; leased = yield* leaseSome(1)) {
        served.push(...idsOf(leased))
        yield* settle(leased[0], { status: "delivered" })
      }
      assert.deepStrictEqual(served, [queued[0]?.id, only.id, queued[1]?.id, queued[2]?.id])
    })
  )
}

const addRaceTests = (it: It): void => {
  it.effect("concurrent senders lease each delivery once, and never two of an endpoint together", () =>
    Effect.gen(function* () {
      const endpoints = yield* Effect.replicateEffect(openEndpoint(), 3)
      const queued = yield* Effect.forEach(endpoints, ({ enqueue }) => Effect.replicateEffect(enqueue, 20))
      const seen: Array<string> = []
      const underWay = new Set<string>()
      const sender = Effect.gen(function* () {
        while (seen.length < 60) {
          const leased = yield* leaseSome(2)
          for (const { delivery, endpoint } of leased) {
            assert.isFalse(underWay.has(endpoint.id))
            underWay.add(endpoint.id)
            seen.push(delivery.id)
          }
          yield* Effect.yieldNow
          for (const one of leased) {
            underWay.delete(one.endpoint.id)
            yield* settle(one, { status: "delivered" })
          }
        }
      })
      yield* Effect.replicateEffect(sender, 8, { concurrency: "unbounded" })
      assert.sameMembers(
        seen,
        queued.flat().map(({ id }) => id)
      )
    })
  )
}

const addRetryTests = (it: It, { advance }: QueueOptions): void => {
  it.effect("a failed or delayed delivery is due immediately after a retry; a delivered one is not sent again", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { enqueue } = yield* openEndpoint()
      const { id } = yield* enqueue
      for (const settlement of [{ status: "failed" }, { status: "pending", after_ms: 3_600_000 }] as const) {
        const [leased] = yield* leaseAll
        yield* settle(leased, settlement)
        assert.deepStrictEqual(yield* leaseAll, [])
        assert.deepInclude(yield* webhooks.retry(id), { id, status: "pending" })
      }
      const [leased] = yield* leaseAll
      assert.deepInclude(leased?.delivery, { id, attempts: 3 })
      yield* settle(leased, { status: "delivered" })
      yield* failsWith(webhooks.retry(id), "Conflict")
      yield* advance(lease_ms + 1)
      assert.deepStrictEqual(yield* leaseAll, [])
    })
  )
}

const addListenerTests = (it: It, { advance }: QueueOptions): void => {
  it.effect("deliveries of a listener are leased to its program alone, one at a time, the oldest first", () =>
    Effect.gen(function* () {
      const queue = yield* WebhookQueue
      const { enqueue, listener } = yield* openListener
      assert.isUndefined(yield* queue.leaseOfListener(listener.id, lease_ms))
      const [first, second] = [yield* enqueue, yield* enqueue]
      assert.deepStrictEqual(yield* leaseAll, [])
      const leased = yield* queue.leaseOfListener(listener.id, lease_ms)
      assert.deepInclude(leased?.delivery, { id: first.id, event: first.event, attempts: 1 })
      assert.deepStrictEqual(leased?.secrets, { present: "sealed" })
      assert.isUndefined(yield* queue.leaseOfListener(listener.id, lease_ms))
      yield* settle(leased, { status: "delivered", last_status: 200 })
      const next = yield* queue.leaseOfListener(listener.id, lease_ms)
      assert.strictEqual(next?.delivery.id, second.id)
      yield* advance(lease_ms + 1)
      const again = yield* queue.leaseOfListener(listener.id, lease_ms)
      assert.deepInclude(again?.delivery, { id: second.id, attempts: 2 })
      yield* settle(next, { status: "failed" })
      assert.deepInclude(yield* (yield* Webhooks).delivery(second.id), { status: "pending" })
      yield* settle(again, { status: "delivered" })
    })
  )

  it.effect("a program that starts again gets the delivery that it had, and its earlier lease settles nothing", () =>
    Effect.gen(function* () {
      const [queue, webhooks] = [yield* WebhookQueue, yield* Webhooks]
      const { enqueue, listener } = yield* openListener
      const { id } = yield* enqueue
      const lost = yield* queue.leaseOfListener(listener.id, lease_ms)
      yield* webhooks.listen(listener, "sealed anew", longAgo)
      yield* settle(lost, { status: "delivered" })
      const found = yield* queue.leaseOfListener(listener.id, lease_ms)
      assert.deepInclude(found?.delivery, { id, attempts: 2 })
      assert.deepStrictEqual(found?.secrets, { present: "sealed anew" })
      yield* settle(found, { status: "delivered" })
    })
  )

  it.effect("a program that asks is heard; a webhook that is no listener is leased to no program", () =>
    Effect.gen(function* () {
      const [queue, webhooks] = [yield* WebhookQueue, yield* Webhooks]
      const { listener } = yield* openListener
      yield* queue.leaseOfListener(listener.id, lease_ms)
      const { listened_at = "" } = yield* webhooks.get(listener.id)
      assert.isAbove(Date.parse(listened_at), Date.parse(listener.listened_at))
      const { endpoint, enqueue } = yield* openEndpoint()
      yield* enqueue
      for (const id of [endpoint.id, "whk_unknown"]) assert.isUndefined(yield* queue.leaseOfListener(id, lease_ms))
      const [leased] = yield* leaseAll
      yield* settle(leased, { status: "delivered" })
    })
  )
}

/** Also for a clock that begins in 1970. */
const longAgo = "1960-01-01T00:00:00.000Z"

/** A listener of a new organization, and a function that enqueues an event for it. */
const openListener = Effect.gen(function* () {
  const { id } = yield* storedOrganization()
  const webhooks = yield* Webhooks
  const listener = { ...newListener(id), listened_at: longAgo }
  yield* webhooks.listen(listener, "sealed", longAgo)
  return { listener, enqueue: Effect.suspend(() => webhooks.enqueue(listener.id, newTestEvent())) }
})

const lease_ms = 60_000

const leaseSome = (limit: number) => Effect.flatMap(WebhookQueue, (queue) => queue.lease(limit, lease_ms))
const leaseAll = leaseSome(1_000)

const settle = (leased: LeasedDelivery | undefined, settlement: Parameters<WebhookQueue["Service"]["settle"]>[1]) =>
  Effect.flatMap(WebhookQueue, (queue) =>
    leased === undefined ? Effect.die(new Error("nothing was leased")) : queue.settle(leased, settlement)
  )

const idsOf = (leased: ReadonlyArray<LeasedDelivery>) => leased.map(({ delivery }) => delivery.id)

/** An endpoint of a new organization, and a function that enqueues an event for it. */
const openEndpoint = Effect.fnUntraced(function* (sealed = "sealed") {
  const { id } = yield* storedOrganization()
  const endpoint = yield* storedWebhook(id, {}, sealed)
  const enqueue = Effect.flatMap(Webhooks, (webhooks) =>
    Effect.suspend(() => webhooks.enqueue(endpoint.id, newTestEvent()))
  )
  return { endpoint, enqueue }
})
