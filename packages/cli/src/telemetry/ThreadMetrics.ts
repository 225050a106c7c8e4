/**
 * Metrics of each thread, as numbers in shared memory. The thread writes them; the telemetry thread reads them even if
 * the writer is busy.
 */
import { queryOutcomes } from "@postcode/core/store/StoreMeter"
import { MetricLayout, makeRequestMetrics, queueNames, type RequestRecorder } from "@postcode/http"

const layout = new MetricLayout()
const labelled = (label: string, values: ReadonlyArray<string>) => values.map((value) => ({ [label]: value }))

const requests = makeRequestMetrics(layout)

const byQueue = labelled("queue", queueNames)

/** Node's names of garbage collection kinds, by number. */
export const gcKinds = new Map([
  [1, "minor"],
  [2, "minor"],
  [4, "major"],
  [8, "incremental"],
  [16, "weak_callbacks"]
])
/** The kinds, in the order of their numbers. */
export const gcKindNames = [...new Set(gcKinds.values())]

/** Outcomes of a webhook delivery attempt. */
export const attemptOutcomes = ["delivered", "failed", "retried"] as const

/** In seconds. */
export const delayBounds_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** In seconds. */
export const queryBounds_s = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** In charges. */
export const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200]

/** The offsets of a thread's own metrics. */
export const threadBlocks = {
  inFlight: layout.add({
    name: "postcode_http_requests_in_flight",
    help: "Requests that wait for something, such as the database. Most are answered at once and never in flight.",
    type: "gauge"
  }),
  connections: layout.add({
    name: "postcode_http_connections",
    help: "Connections of clients that are open, idle ones too.",
    type: "gauge"
  }),
  connectionsRefused: layout.add({
    name: "postcode_http_connections_refused_total",
    help: "Connections that were closed at once, since --max-connections were open.",
    type: "counter"
  }),
  queueRequests: layout.add({
    name: "postcode_queue_requests",
    help: "Requests of each queue: in flight, waiting, and the concurrency limit.",
    type: "gauge",
    dimensions: [byQueue, labelled("state", ["in_flight", "waiting", "limit"])]
  }),
  queueOverloaded: layout.add({
    name: "postcode_queue_overloaded",
    help: "Threads whose queue gets more requests than they can serve.",
    type: "gauge",
    dimensions: [byQueue]
  }),
  queueRefused: layout.add({
    name: "postcode_overload_refusals_total",
    help: "Requests refused with 503 because their deadline passed (late), or their queue was full (full).",
    type: "counter",
    dimensions: [byQueue, labelled("reason", ["late", "full"])],
    byThread: true
  }),
  questions: layout.add({
    name: "postcode_database_questions_in_flight",
    help: "Questions to the database under way. Each takes one connection; what is more than there are connections waits.",
    type: "gauge"
  }),
  questionTime: layout.add({
    name: "postcode_database_question_duration_seconds",
    help: "From a question to the database to its end, with the wait for a connection, by what came of it.",
    type: "histogram",
    bounds: queryBounds_s,
    dimensions: [labelled("outcome", queryOutcomes)]
  }),
  batches: layout.add({
    name: "postcode_charge_batch_size",
    help: "Charges, of any accounts, that were written together.",
    type: "histogram",
    bounds: batchBounds
  }),
  databaseConnected: layout.add({
    name: "postcode_database_connected",
    help: "1 while the thread is in touch with the database, 0 while that is away. Absent without a database.",
    type: "gauge",
    byThread: true,
    initial: Number.NaN
  }),
  lastAnswer: layout.add({
    name: "postcode_database_last_answer_timestamp_seconds",
    help: "When the thread last heard of the database, which it asks five times a second. Copies of keys count 0.6 s from then.",
    type: "gauge",
    byThread: true,
    initial: Number.NaN
  }),
  delay: layout.add({
    name: "postcode_event_loop_delay_seconds",
    help: "How much later than asked a timer of the thread ran that is due 50 times a second.",
    type: "histogram",
    bounds: delayBounds_s,
    byThread: true
  }),
  lastTurn: layout.add({
    name: "postcode_event_loop_last_turn_timestamp_seconds",
    help: "When that timer ran last. Of a thread that is stuck it stands still.",
    type: "gauge",
    byThread: true,
    initial: Number.NaN
  }),
  loopTime: layout.add({
    name: "postcode_event_loop_seconds_total",
    help: "Time that the event loop of the thread was active, or idle. The rate of active is its utilization, 0 to 1.",
    type: "counter",
    dimensions: [labelled("state", ["active", "idle"])],
    byThread: true
  }),
  gcTime: layout.add({
    name: "postcode_gc_seconds_total",
    help: "Time that garbage collection stopped a thread for, by kind.",
    type: "counter",
    dimensions: [labelled("kind", gcKindNames)]
  }),
  gcRuns: layout.add({
    name: "postcode_gc_runs_total",
    help: "Garbage collections of all threads, by kind.",
    type: "counter",
    dimensions: [labelled("kind", gcKindNames)]
  }),
  attempts: layout.add({
    name: "postcode_webhook_attempts_total",
    help: "Attempts to deliver a webhook, by what came of them: delivered, failed for good, or to be repeated later.",
    type: "counter",
    dimensions: [labelled("outcome", attemptOutcomes)]
  }),
  lateness: layout.add({
    name: "postcode_webhook_lateness_seconds",
    help: "How late the latest of the webhooks was that were due at the last look, which is taken each second.",
    type: "gauge"
  }),
  logDropped: layout.add({
    name: "postcode_log_lines_dropped_total",
    help: "Lines of logs that were dropped since nobody read standard error.",
    type: "counter",
    byThread: true
  }),
  heap: layout.add({
    name: "postcode_heap_bytes",
    help: "The JavaScript heap of the thread: used, reserved, at most, and external memory that its objects hold.",
    type: "gauge",
    dimensions: [labelled("area", ["used", "reserved", "limit", "external"])],
    byThread: true,
    initial: Number.NaN
  })
}

/** The metric families of all threads. */
export const threadFamilyBlocks = layout.blocks

/** The initial metrics of a thread. */
export const makeThreadNumbers = (): Float64Array<SharedArrayBuffer> => layout.makeNumbers()

/** Counts responses in a thread's metrics. */
export const requestRecorder = (numbers: Float64Array): RequestRecorder => requests.recorder(numbers)
