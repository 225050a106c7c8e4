/** The metrics that a process counts as things happen. With workers, the telemetry port sums those of all processes. */
import type { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { queryOutcomes } from "@postcode/gateway/store/StoreMeter"
import { type MetricSnapshot, Metrics, requestRecorder } from "@postcode/http"
import { metricDescriptions } from "./metricDescriptions.ts"

/** In seconds. */
const queryBounds_s = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** In charges. */
const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200]

export type ProcessMetrics = ReturnType<typeof makeProcessMetrics>

/** @param name of the process: the label of values that are not summed */
export const makeProcessMetrics = (name: string) => {
  const metrics = new Metrics(metricDescriptions)
  let current: CurrentDirectory["Service"] | undefined
  addUse(metrics)
  return {
    name,
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
    lateness: metrics.gauge("postcode_webhook_delay_seconds"),
    /** Called once, if mail is sent. */
    addMail: () => ({
      attempts: byLabel("outcome", ["sent", "failed", "retried", "skipped"], (labels) =>
        metrics.counter("postcode_mail_attempts_total", labels)
      ),
      limited: metrics.counter("postcode_mail_limited_total"),
      lateness: metrics.gauge("postcode_mail_delay_seconds"),
      usable: metrics.gauge("postcode_mail_server_usable")
    }),
    reviews: metrics.gauge("postcode_reviews_waiting"),
    oldestReview: metrics.gauge("postcode_reviews_oldest_age_seconds"),
    /** Reports the directory that this process serves. */
    addDirectory: (directory: CurrentDirectory["Service"]): void => {
      current = directory
    },
    /** @param connections the maximum of the pool */
    addDatabase: (connections: number): void => {
      metrics.gauge("postcode_database_connections_limit").add(connections)
    },
    /** Called once, with a data folder. */
    addBackups: () => ({
      verified: metrics.gauge("postcode_backup_last_verified_timestamp_seconds"),
      archived: metrics.gauge("postcode_backup_log_archived_timestamp_seconds")
    }),
    /** All values now. */
    snapshots: (): ReadonlyArray<MetricSnapshot> => [
      ...metrics.snapshots(),
      ...(current === undefined ? [] : directorySnapshots(current))
    ]
  }
}

/** A series for each value of a label. */
export const byLabel = <const Value extends string, A>(
  label: string,
  values: ReadonlyArray<Value>,
  add: (labels: Readonly<Record<string, Value>>) => A
): Readonly<Record<Value, A>> =>
  Object.fromEntries(values.map((value) => [value, add({ [label]: value })])) as Record<Value, A>

/** With the names of all Prometheus client libraries. */
const addUse = (metrics: Metrics<keyof typeof metricDescriptions>): void => {
  metrics.counter("process_cpu_seconds_total", {}, () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  })
  metrics.gauge("process_resident_memory_bytes", {}, () => process.memoryUsage.rss())
}

/** Not kept, since the labels change. */
const directorySnapshots = (current: CurrentDirectory["Service"]): ReadonlyArray<MetricSnapshot> => {
  const directory = current.get()
  const { activeSize, changes, date, size, version } = directory
  const metrics = new Metrics(metricDescriptions)
  metrics.gauge("postcode_directory_info", { version, date }).add(1)
  metrics.gauge("postcode_directory_units", { status: "active" }).add(activeSize)
  metrics.gauge("postcode_directory_units", { status: "retired" }).add(size - activeSize)
  metrics.gauge("postcode_directory_changes").add(changes)
  const since_ms = Date.parse(current.currentSince?.(directory) ?? "")
  metrics.gauge("postcode_directory_current_since_timestamp_seconds").add(since_ms / 1_000)
  return metrics.snapshots()
}
