/** Measures the current thread while the scope is open: event loop, memory, queues. */
import { PerformanceObserver, performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import { StoreHealth } from "@postcode/core/store/StoreHealth"
import { addNumber, type LoadState, observeNumber, type QueueState, queueNames } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { logOutput } from "../serve/log/LogOutput.ts"
import { delayBounds_s, gcKindNames, gcKinds, threadBlocks } from "./ThreadMetrics.ts"

/** Longer blocking of the event loop is recorded. */
const tick_ms = 20
/** The number of ticks between two samples of slow values. */
const ticksPerSample = 50

/** @param loads the queue states of the thread's gateways */
export const measureThread = (
  numbers: Float64Array,
  loads: () => ReadonlyArray<LoadState> = () => []
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const health = yield* StoreHealth
    // A replacement thread starts with nothing in flight.
    for (const { start } of [threadBlocks.inFlight, threadBlocks.connections]) numbers[start] = 0
    const collections = watchCollections(numbers)
    const timer = watchTicks(numbers, () => {
      look(numbers, health)
      sampleLoad(numbers, loads())
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        clearInterval(timer)
        collections.disconnect()
      })
    )
  })

const watchTicks = (numbers: Float64Array, onLook: () => void): NodeJS.Timeout => {
  const { delay, lastTurn } = threadBlocks
  let last_ms = performance.now()
  let turns = 0
  const turn = (): void => {
    const now_ms = performance.now()
    observeNumber(numbers, delay.start, delayBounds_s, Math.max(0, now_ms - last_ms - tick_ms) / 1_000)
    numbers[lastTurn.start] = Date.now() / 1_000
    last_ms = now_ms
    if (turns++ % ticksPerSample === 0) onLook()
  }
  return setInterval(turn, tick_ms).unref()
}

/** Values that change slowly. */
const look = (numbers: Float64Array, health: StoreHealth): void => {
  const { databaseConnected, heap, lastAnswer, logDropped, loopTime } = threadBlocks
  const { active, idle } = performance.eventLoopUtilization()
  numbers.set([active / 1_000, idle / 1_000], loopTime.start)
  const { external_memory, heap_size_limit, total_heap_size, used_heap_size } = getHeapStatistics()
  numbers.set([used_heap_size, total_heap_size, heap_size_limit, external_memory], heap.start)
  numbers[logDropped.start] = logOutput.dropped
  const database = health.database()
  if (database !== "none") numbers[databaseConnected.start] = database === "connected" ? 1 : 0
  const silence_ms = health.silence_ms?.() ?? Number.POSITIVE_INFINITY
  if (Number.isFinite(silence_ms)) numbers[lastAnswer.start] = (Date.now() - silence_ms) / 1_000
}

const sampleLoad = (numbers: Float64Array, loads: ReadonlyArray<LoadState>): void => {
  const { queueOverloaded, queueRefused, queueRequests } = threadBlocks
  if (loads.length === 0) return
  for (const [place, name] of queueNames.entries()) {
    const queues = loads.map((load) => load[name])
    const sum = (of: (queue: QueueState) => number): number => queues.reduce((total, queue) => total + of(queue), 0)
    numbers.set(
      [sum((queue) => queue.in_flight), sum((queue) => queue.waiting), sum((queue) => queue.limit)],
      queueRequests.start + 3 * place
    )
    numbers[queueOverloaded.start + place] = sum((queue) => (queue.overloaded ? 1 : 0))
    numbers.set(
      [sum((queue) => queue.refused.late), sum((queue) => queue.refused.full)],
      queueRefused.start + 2 * place
    )
  }
}

const watchCollections = (numbers: Float64Array): PerformanceObserver => {
  const { gcRuns, gcTime } = threadBlocks
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = gcKinds.get((entry as { readonly detail?: { readonly kind?: number } }).detail?.kind ?? 0)
      const place = kind === undefined ? -1 : gcKindNames.indexOf(kind)
      if (place === -1) continue
      addNumber(numbers, gcTime.start + place, entry.duration / 1_000)
      addNumber(numbers, gcRuns.start + place, 1)
    }
  })
  observer.observe({ entryTypes: ["gc"] })
  return observer
}
