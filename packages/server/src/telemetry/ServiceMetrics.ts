/** All metrics of the service: summed over its threads, with those of the process and the current directory. */
import { once, setMaxListeners } from "node:events"
import { MessageChannel, type MessagePort } from "node:worker_threads"
import type { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { type MetricSnapshot, Metrics, metricsText } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { metricDescriptions } from "./metricDescriptions.ts"
import { sumSnapshots } from "./sumSnapshots.ts"
import { makeThreadMetrics, type ThreadMetrics } from "./ThreadMetrics.ts"

/** A thread that does not answer in this time is shown with its last values. */
const readTimeout_ms = 1_000

interface Worker {
  readonly port: MessagePort
  last: ReadonlyArray<MetricSnapshot>
}

/** Collects all threads' metrics as one text. */
export class ServiceMetrics {
  /** Those of the main thread. */
  readonly main = makeThreadMetrics("main")
  /** Whether the service is ready and not stopping. */
  isReady = false
  private readonly workers = new Set<Worker>()
  /** Totals of workers that ended, so that no counter decreases. */
  private ended: ReadonlyArray<MetricSnapshot> = []
  private current: CurrentDirectory["Service"] | undefined

  /** @param version of the running program */
  constructor(version: string) {
    addProcess(this.main, version)
    this.main.metrics.gauge("postcode_ready", {}, () => (this.isReady ? 1 : 0))
  }

  /** Adds a worker until it ends. The result is the port at which it answers each message with its metrics. */
  addWorker(): MessagePort {
    const { port1: port, port2 } = new MessageChannel()
    const worker: Worker = { port, last: [] }
    this.workers.add(worker)
    port.on("message", (snapshots) => {
      worker.last = snapshots
    })
    // Several readings may wait at the same time.
    setMaxListeners(0, port)
    port.once("close", () => {
      this.workers.delete(worker)
      this.ended = sumSnapshots([...this.ended, ...worker.last.filter(({ type }) => type !== "Gauge")])
    })
    port.unref()
    return port2
  }

  /**
   * Reports a directory, and until the scope closes that the service is ready.
   *
   * @param databaseConnections the maximum of all threads; undefined if there is no database
   */
  ready(
    current: CurrentDirectory["Service"],
    databaseConnections: number | undefined
  ): Effect.Effect<void, never, Scope.Scope> {
    const begin = Effect.sync(() => {
      this.current = current
      if (databaseConnections !== undefined)
        this.main.metrics.gauge("postcode_database_connections_limit").add(databaseConnections)
      this.isReady = true
    })
    const end = Effect.sync(() => {
      this.isReady = false
    })
    return Effect.acquireRelease(begin, () => end)
  }

  /** The text for Prometheus. */
  async text(): Promise<string> {
    await Promise.all([...this.workers].map(readWorker))
    const workers = [...this.workers].flatMap(({ last }) => last)
    const directory = this.current === undefined ? [] : directorySnapshots(this.current)
    return metricsText(sumSnapshots([...this.main.metrics.snapshots(), ...directory, ...this.ended, ...workers]))
  }
}

const readWorker = async ({ port }: Worker): Promise<void> => {
  const signal = AbortSignal.timeout(readTimeout_ms)
  port.postMessage("read")
  await Promise.race([once(port, "message", { signal }), once(port, "close", { signal })]).catch(() => {})
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

/** With the names of all Prometheus client libraries. */
const addProcess = ({ metrics }: ThreadMetrics, version: string): void => {
  metrics.counter("process_cpu_seconds_total", {}, () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  })
  metrics.gauge("process_resident_memory_bytes", {}, () => process.memoryUsage.rss())
  metrics.gauge("process_start_time_seconds").add(Math.floor(performance.timeOrigin) / 1_000)
  metrics.gauge("postcode_build_info", { version, node: process.versions.node }).add(1)
}
