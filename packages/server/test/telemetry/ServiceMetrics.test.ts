import { newTestEvent, storedWebhook } from "@postcode/conformance"
import { readMetrics } from "@postcode/conformance/wire"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Metrics, metricsText } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { countedWebhooks } from "../../src/telemetry/countedOutboxes.ts"
import { makeProcessMetrics } from "../../src/telemetry/ProcessMetrics.ts"
import { ServiceMetrics } from "../../src/telemetry/ServiceMetrics.ts"
import { sumSnapshots } from "../../src/telemetry/sumSnapshots.ts"

it("deliveries of webhooks are counted by their outcome and their delay", async () => {
  const metrics = new ServiceMetrics("0.0.0")
  const program = Effect.gen(function* () {
    const store = yield* Layer.build(MemoryStore.layer)
    const counted = countedWebhooks(store, metrics.main)
    yield* Effect.provide(deliverThree, counted)
  })
  await Effect.runPromise(Effect.scoped(program))
  const read = readMetrics(await metrics.text())
  expect([...read.get("postcode_webhook_attempts_total")!.samples]).toEqual([
    ['postcode_webhook_attempts_total{outcome="delivered"}', 1],
    ['postcode_webhook_attempts_total{outcome="failed"}', 1],
    ['postcode_webhook_attempts_total{outcome="retried"}', 1]
  ])
  const late_s = read.get("postcode_webhook_delay_seconds")!.samples.get("postcode_webhook_delay_seconds")!
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
    status: "active",
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

const answer = { request_id: "one", method: "GET", operation: "search.reverse", status: 200, duration_ms: 1 } as const
const record = {
  ...answer,
  key_id: undefined,
  trace_id: undefined,
  error: undefined,
  limited: undefined,
  unchecked: false,
  charge: undefined
}

const requestsOf = async (metrics: ServiceMetrics) => [
  ...(readMetrics(await metrics.text()).get("postcode_http_requests_total")?.samples ?? [])
]
const requests = (count: number) => [['postcode_http_requests_total{operation="search.reverse",status="200"}', count]]

it("a worker that replaces another one continues its counters", async () => {
  const metrics = new ServiceMetrics("0.0.0")
  const start = (name: string) => {
    const worker = makeProcessMetrics(name)
    return { worker, end: metrics.addWorker(async () => worker.snapshots()) }
  }
  const [first, second] = [start("worker 1"), start("worker 2")]
  for (const { worker } of [first, second]) worker.countAnswer(record)
  first.worker.inFlight.value = 1
  expect(await requestsOf(metrics)).toEqual(requests(2))
  first.end()
  expect(await requestsOf(metrics)).toEqual(requests(2))
  expect(readMetrics(await metrics.text()).get("postcode_http_requests_in_flight")?.samples).toEqual(
    new Map([["postcode_http_requests_in_flight", 0]])
  )
  start("worker 1").worker.countAnswer(record)
  expect(await requestsOf(metrics)).toEqual(requests(3))
})

it("a worker that does not respond keeps its last values, and delays the scrape by a second at most", async () => {
  const metrics = new ServiceMetrics("0.0.0")
  const worker = makeProcessMetrics("worker 1")
  let responds = true
  metrics.addWorker(() => (responds ? Promise.resolve(worker.snapshots()) : new Promise(() => {})))
  worker.countAnswer(record)
  expect(await requestsOf(metrics)).toEqual(requests(1))
  responds = false
  worker.countAnswer(record)
  const began_ms = performance.now()
  expect(await requestsOf(metrics)).toEqual(requests(1))
  expect(performance.now() - began_ms).toBeGreaterThan(900)
  responds = true
  expect(await requestsOf(metrics)).toEqual(requests(2))
})

describe("values of several processes", () => {
  it("are added up, or reported for each process, without those that were not measured", () => {
    const descriptions = { sum_total: "All.", each: "Each.", times_seconds: "Times." }
    const main = new Metrics(descriptions)
    const worker = new Metrics(descriptions)
    for (const [process, metrics, value] of [
      ["main", main, 1],
      ["worker 1", worker, 2]
    ] as const) {
      metrics.counter("sum_total").add(value)
      metrics.gauge("each", { process }, () => (process === "main" ? Number.NaN : 7))
      metrics.histogram("times_seconds", [1, 2]).observe(2 * value - 1)
    }
    const text = metricsText(sumSnapshots([...main.snapshots(), ...worker.snapshots()]))
    expect(text.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
      "sum_total 3",
      'times_seconds_bucket{le="1"} 1',
      'times_seconds_bucket{le="2"} 1',
      'times_seconds_bucket{le="+Inf"} 2',
      "times_seconds_sum 4",
      "times_seconds_count 2",
      'each{process="worker 1"} 7',
      ""
    ])
  })

  it("of the directory are those of the process that is behind, and of webhooks those of the latest", () => {
    const workers = [3, 5].map((value) => {
      const { lateness, metrics, snapshots } = makeProcessMetrics("worker")
      metrics.gauge("postcode_directory_changes").value = value
      lateness.value = value
      return snapshots()
    })
    const read = readMetrics(metricsText(sumSnapshots(workers.flat())))
    expect(read.get("postcode_directory_changes")?.samples.get("postcode_directory_changes")).toBe(3)
    expect(read.get("postcode_webhook_delay_seconds")?.samples.get("postcode_webhook_delay_seconds")).toBe(5)
  })
})
