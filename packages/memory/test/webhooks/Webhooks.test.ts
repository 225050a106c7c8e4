/** The ports of webhooks in memory, and what they are told of. */

import { assert, describe, it } from "@effect/vitest"
import {
  dailyLimitEventsSuite,
  failsWith,
  lowBalanceSuite,
  newTestEvent,
  readAll,
  storedOrganization,
  storedWebhook,
  webhookQueueSuite,
  webhooksSuite
} from "@postcode/conformance"
import { keptDeliveries } from "@postcode/gateway/webhooks/Webhook"
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { MemoryStore } from "@postcode/memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

const store = Layer.provideMerge(MemoryStore.layer, TestClock.layer())

webhooksSuite("in memory", store)
webhookQueueSuite("in memory", store, { advance: TestClock.adjust })
lowBalanceSuite("in memory", store)
dailyLimitEventsSuite("in memory", store, { advance: TestClock.adjust })

describe("deliveries in memory", () => {
  it.effect("the newest 1,000 settled deliveries of an endpoint are kept, and all pending ones", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const queue = yield* WebhookQueue
      const { id: organization } = yield* storedOrganization()
      const { id } = yield* storedWebhook(organization)
      const made: Array<string> = []
      for (let i = 0; i < keptDeliveries + 3; i++) {
        made.push((yield* webhooks.enqueue(id, newTestEvent())).id)
        const [leased] = yield* queue.lease(1, 60_000)
        assert.isDefined(leased)
        yield* queue.settle(leased, i === 0 ? { status: "pending", after_ms: 3_600_000 } : { status: "delivered" })
      }
      const [waiting, forgotten, alsoForgotten, ...kept] = made
      for (const gone of [forgotten, alsoForgotten]) yield* failsWith(webhooks.delivery(gone ?? ""), "NotFound")
      const all = yield* readAll((page) => webhooks.deliveries(id, page))
      assert.deepStrictEqual(
        all.map((delivery) => delivery.id),
        [...kept.toReversed(), waiting]
      )
    }).pipe(Effect.provide(store))
  )
})
