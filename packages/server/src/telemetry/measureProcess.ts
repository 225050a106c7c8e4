/** Measures this process while the scope is open: event loop, memory, queues, database. */
import { PerformanceObserver, performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { type LoadState, type QueueState, queueNames } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { logOutput } from "../log/LogOutput.ts"
import { byLabel, type ProcessMetrics } from "./ProcessMetrics.ts"

/** @param loads the queue states of the gateways */
export const measureProcess = (
  measured: ProcessMetrics,
  loads: () => ReadonlyArray<LoadState> = () => []
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    addDatabase(measured, yield* StoreHealth)
    addMemory(measured)
    addQueues(measured, loads)
    const timer = watchEventLoop(measured)
    const collections = watchCollections(measured)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        clearInterval(timer)
        collections.disconnect()
      })
    )
  })

/** Absent without a database. */
const addDatabase = ({ metrics, name: process }: ProcessMetrics, health: StoreHealth): void => {
  if (health.database() === "none") return
  metrics.gauge("postcode_database_connected", { process }, () => (health.database() === "connected" ? 1 : 0))
  metrics.gauge("postcode_database_last_response_timestamp_seconds", { process }, () => {
    const last_ms = Date.now() - (health.silence_ms?.() ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(last_ms) ? last_ms / 1_000 : Number.NaN
  })
}

const addMemory = ({ metrics, name: process }: ProcessMetrics): void => {
  const heap = (area: string, bytes: () => number) => metrics.gauge("postcode_heap_bytes", { process, area }, bytes)
  heap("used", () => getHeapStatistics().used_heap_size)
  heap("reserved", () => getHeapStatistics().total_heap_size)
  heap("limit", () => getHeapStatistics().heap_size_limit)
  heap("external", () => getHeapStatistics().external_memory)
  metrics.counter("postcode_log_lines_dropped_total", { process }, () => logOutput.dropped)
}

const addQueues = ({ metrics, name: process }: ProcessMetrics, loads: () => ReadonlyArray<LoadState>): void => {
  for (const queue of queueNames) {
    const sum = (of: (state: QueueState) => number) => () => loads().reduce((total, load) => total + of(load[queue]), 0)
    for (const state of ["in_flight", "waiting", "limit"] as const) {
      metrics.gauge(
        "postcode_queue_requests",
        { queue, state },
        sum((load) => load[state])
      )
    }
    metrics.gauge(
      "postcode_queue_overloaded",
      { queue },
      sum(({ overloaded }) => (overloaded ? 1 : 0))
    )
    for (const reason of ["late", "full"] as const) {
      const refused = sum((load) => load.refused[reason])
      metrics.counter("postcode_overload_refusals_total", { process, queue, reason }, refused)
    }
  }
}

/** Longer blocking of the event loop is recorded. */
const tick_ms = 20
/** In seconds. */
const delayBounds_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const watchEventLoop = ({ metrics, name: process }: ProcessMetrics): NodeJS.Timeout => {
  for (const state of ["active", "idle"] as const) {
    const seconds = () => performance.eventLoopUtilization()[state] / 1_000
    metrics.counter("postcode_event_loop_seconds_total", { process, state }, seconds)
  }
  const delay = metrics.histogram("postcode_event_loop_delay_seconds", delayBounds_s, { process })
  const lastTick = metrics.gauge("postcode_event_loop_last_tick_timestamp_seconds", { process })
  let last_ms = performance.now()
  lastTick.value = Date.now() / 1_000
  const tick = (): void => {
    const now_ms = performance.now()
    delay.observe(Math.max(0, now_ms - last_ms - tick_ms) / 1_000)
    lastTick.value = Date.now() / 1_000
    last_ms = now_ms
  }
  return setInterval(tick, tick_ms).unref()
}

/** Node's names of garbage collection kinds, by number. */
const gcKinds = new Map([
  [1, "minor"],
  [2, "minor"],
  [4, "major"],
  [8, "incremental"],
  [16, "weak_callbacks"]
])

const watchCollections = ({ metrics }: ProcessMetrics): PerformanceObserver => {
  const byKind = byLabel("kind", [...new Set(gcKinds.values())], (labels) => ({
    time: metrics.counter("postcode_gc_seconds_total", labels),
    runs: metrics.counter("postcode_gc_runs_total", labels)
  }))
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind = 0 } = (entry as { readonly detail?: { readonly kind?: number } }).detail ?? {}
      const collected = byKind[gcKinds.get(kind) ?? ""]
      collected?.time.add(entry.duration / 1_000)
      collected?.runs.add(1)
    }
  })
  observer.observe({ entryTypes: ["gc"] })
  return observer
}
