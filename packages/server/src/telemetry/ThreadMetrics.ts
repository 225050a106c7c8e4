/** The metrics that a thread counts as things happen. Each thread has its own; the telemetry port sums them. */
import type { MessagePort } from "node:worker_threads"
import { queryOutcomes } from "@postcode/gateway/store/StoreMeter"
import { Metrics, requestRecorder } from "@postcode/http"
import { metricDescriptions } from "./metricDescriptions.ts"

/** In seconds. */
const queryBounds_s = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** In charges. */
const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200]

export type ThreadMetrics = ReturnType<typeof makeThreadMetrics>

/** @param thread its name: the label of values that are not summed */
export const makeThreadMetrics = (thread: string) => {
  const metrics = new Metrics(metricDescriptions)
  return {
    thread,
    metrics,
    countAnswer: requestRecorder(metrics),
    inFlight: metrics.gauge("postcode_http_requests_in_flight"),
    connections: metrics.gauge("postcode_http_connections"),
    connectionsRefused: metrics.counter("postcode_http_connections_refused_total"),
    queries: metrics.gauge("postcode_database_queries_in_flight"),
    queryDuration: byLabel("outcome", queryOutcomes, (labels) =>
      metrics.histogram("postcode_database_query_duration_seconds", queryBounds_s, labels)
    ),
    batches: metrics.histogram("postcode_charge_batch_size", batchBounds),
    attempts: byLabel("outcome", ["delivered", "failed", "retried"], (labels) =>
      metrics.counter("postcode_webhook_attempts_total", labels)
    ),
    lateness: metrics.gauge("postcode_webhook_delay_seconds")
  }
}

/** In a worker: answers each message at its port with the values of its series. */
export const answerReads = (port: MessagePort, { metrics }: ThreadMetrics): void => {
  port.on("message", () => port.postMessage(metrics.snapshots()))
  port.unref()
}

/** A series for each value of a label. */
export const byLabel = <const Value extends string, A>(
  label: string,
  values: ReadonlyArray<Value>,
  add: (labels: Readonly<Record<string, Value>>) => A
): Readonly<Record<Value, A>> =>
  Object.fromEntries(values.map((value) => [value, add({ [label]: value })])) as Record<Value, A>
