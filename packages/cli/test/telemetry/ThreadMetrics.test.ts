import { Organizations } from "@postcode/core/organizations/Organizations"
import { WebhookQueue } from "@postcode/core/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/core/webhooks/Webhooks"
import { newTestEvent, storedWebhook } from "@postcode/core/webhooks/WebhooksSuite"
import { readMetrics } from "@postcode/http/testing"
import { MemoryStore } from "@postcode/memory"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { countedWebhooks } from "../../src/telemetry/countedWebhooks.ts"
import { ServiceMetrics } from "../../src/telemetry/ServiceMetrics.ts"
import { requestRecorder } from "../../src/telemetry/ThreadMetrics.ts"

it("deliveries of webhooks are counted by what becomes of them, and how late they are", async () => {
  const metrics = new ServiceMetrics()
  const program = Effect.gen(function* () {
    const store = yield* Layer.build(MemoryStore.layer)
    const counted = countedWebhooks(store, metrics.numbersOf("main"))
    yield* Effect.provide(deliverThree, counted)
  })
  await Effect.runPromise(Effect.scoped(program))
  const read = readMetrics(metrics.text(true))
  expect([...read.get("postcode_webhook_attempts_total")!.samples]).toEqual([
    ['postcode_webhook_attempts_total{outcome="delivered"}', 1],
    ['postcode_webhook_attempts_total{outcome="failed"}', 1],
    ['postcode_webhook_attempts_total{outcome="retried"}', 1]
  ])
  const late_s = read.get("postcode_webhook_lateness_seconds")!.samples.get("postcode_webhook_lateness_seconds")!
  expect(late_s).toBeGreaterThanOrEqual(0)
  expect(late_s).toBeLessThan(60)
})

const deliverThree = Effect.gen(function* () {
  const organizations = yield* Organizations
  const organization = {
    id: "org_1",
    name: "Test",
    granted_level: 1,
    kyb_status: "unverified",
    created_at: "2026-01-01T00:00:00.000Z"
  } as const
  yield* organizations.create(organization, { test: 0, live: 0 })
  const queue = yield* WebhookQueue
  for (const settlement of [
    { status: "delivered" },
    { status: "failed", fault: "gone" },
    { status: "pending", after_ms: 1_000 }
  ] as const) {
    const { id } = yield* storedWebhook(organization.id)
    yield* (yield* Webhooks).enqueue(id, newTestEvent())
    for (const leased of yield* queue.lease(10, 60_000)) yield* queue.settle(leased, settlement)
  }
})

it("a thread that takes the place of another one goes on with what that has counted", () => {
  const metrics = new ServiceMetrics()
  const answer = { request_id: "one", method: "GET", operation: "search.reverse", status: 200, duration_ms: 1 }
  const record = { ...answer, key_id: undefined, trace_id: undefined, error: undefined, limited: undefined }
  for (const thread of ["worker 1", "worker 2", "worker 1"]) {
    requestRecorder(metrics.numbersOf(thread))({ ...record, unchecked: false, charge: undefined })
  }
  expect([...readMetrics(metrics.text(true)).get("postcode_http_requests_total")!.samples]).toEqual([
    ['postcode_http_requests_total{operation="search.reverse",status="200"}', 3]
  ])
})
