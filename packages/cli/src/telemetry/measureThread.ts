/** Measures the current thread while the scope is open: event loop, memory, queues, database. */
import { PerformanceObserver, performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { StoreHealth } from "@postcode/core/store/StoreHealth"
import { type LoadState, type QueueState, queueNames } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { logOutput } from "../serve/log/LogOutput.ts"
import { byLabel, type ThreadMetrics } from "./ThreadMetrics.ts"

/** @param loads the queue states of the thread's gateways */
export const measureThread = (
  thread: ThreadMetrics,
  loads: () => ReadonlyArray<LoadState> = () => []
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    addDatabase(thread, yield* StoreHealth)
    addMemory(thread)
    addQueues(thread, loads)
    const timer = watchEventLoop(thread)
    const collections = watchCollections(thread)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        clearInterval(timer)
        collections.disconnect()
      })
    )
  })

/** Absent without a database. */
const addDatabase = ({ metrics, thread }: ThreadMetrics, health: StoreHealth): void => {
  if (health.database() === "none") return
  metrics.gauge(
    "postcode_database_connected",
    "1 while the thread is in touch with the database, 0 while that is away. Absent without a database.",
    { thread },
    () => (health.database() === "connected" ? 1 : 0)
  )
  metrics.gauge(
    "postcode_database_last_answer_timestamp_seconds",
    "When the thread last heard of the database, which it asks five times a second. Copies of keys count 0.6 s from then.",
    { thread },
    () => {
      const silence_ms = health.silence_ms?.() ?? Number.POSITIVE_INFINITY
      return Number.isFinite(silence_ms) ? (Date.now() - silence_ms) / 1_000 : Number.NaN
    }
  )
}

const addMemory = ({ metrics, thread }: ThreadMetrics): void => {
  const areas = {
    used: "used_heap_size",
    reserved: "total_heap_size",
    limit: "heap_size_limit",
    external: "external_memory"
  } as const
  for (const [area, statistic] of Object.entries(areas)) {
    metrics.gauge(
      "postcode_heap_bytes",
      "The JavaScript heap of the thread: used, reserved, at most, and external memory that its objects hold.",
      { thread, area },
      () => getHeapStatistics()[statistic]
    )
  }
  metrics.counter(
    "postcode_log_lines_dropped_total",
    "Lines of logs that were dropped since nobody read standard error.",
    { thread },
    () => logOutput.dropped
  )
}

const addQueues = ({ metrics, thread }: ThreadMetrics, loads: () => ReadonlyArray<LoadState>): void => {
  for (const queue of queueNames) {
    const sum = (of: (state: QueueState) => number) => () => loads().reduce((total, load) => total + of(load[queue]), 0)
    for (const state of ["in_flight", "waiting", "limit"] as const) {
      metrics.gauge(
        "postcode_queue_requests",
        "Requests of each queue: in flight, waiting, and the concurrency limit.",
        { queue, state },
        sum((load) => load[state])
      )
    }
    metrics.gauge(
      "postcode_queue_overloaded",
      "Threads whose queue gets more requests than they can serve.",
      { queue },
      sum(({ overloaded }) => (overloaded ? 1 : 0))
    )
    for (const reason of ["late", "full"] as const) {
      metrics.counter(
        "postcode_overload_refusals_total",
        "Requests refused with 503 because their deadline passed (late), or their queue was full (full).",
        { thread, queue, reason },
        sum(({ refused }) => refused[reason])
      )
    }
  }
}

/** Longer blocking of the event loop is recorded. */
const tick_ms = 20
/** In seconds. */
const delayBounds_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const watchEventLoop = ({ metrics, thread }: ThreadMetrics): NodeJS.Timeout => {
  for (const state of ["active", "idle"] as const) {
    metrics.counter(
      "postcode_event_loop_seconds_total",
      "Time that the event loop of the thread was active, or idle. The rate of active is its utilization, 0 to 1.",
      { thread, state },
      () => performance.eventLoopUtilization()[state] / 1_000
    )
  }
  const delay = metrics.histogram(
    "postcode_event_loop_delay_seconds",
    "How much later than asked a timer of the thread ran that is due 50 times a second.",
    delayBounds_s,
    { thread }
  )
  const lastTick = metrics.gauge(
    "postcode_event_loop_last_turn_timestamp_seconds",
    "When that timer ran last. Of a thread that is stuck it stands still.",
    { thread }
  )
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

const watchCollections = ({ metrics }: ThreadMetrics): PerformanceObserver => {
  const kinds = [...new Set(gcKinds.values())]
  const times = byLabel("kind", kinds, (labels) =>
    metrics.counter("postcode_gc_seconds_total", "Time that garbage collection stopped a thread for, by kind.", labels)
  )
  const runs = byLabel("kind", kinds, (labels) =>
    metrics.counter("postcode_gc_runs_total", "Garbage collections of all threads, by kind.", labels)
  )
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = gcKinds.get((entry as { readonly detail?: { readonly kind?: number } }).detail?.kind ?? 0) ?? ""
      if (times[kind] !== undefined) times[kind].value += entry.duration / 1_000
      if (runs[kind] !== undefined) runs[kind].value += 1
    }
  })
  observer.observe({ entryTypes: ["gc"] })
  return observer
}
