/** All metrics of the service: summed over its threads, with those of the process and the current directory. */
import { once, setMaxListeners } from "node:events"
import { MessageChannel, type MessagePort } from "node:worker_threads"
import type { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { type MetricSnapshot, Metrics, metricsText } from "@postcode/http"
import { version } from "../Version.ts"
import { sumSnapshots } from "./sumSnapshots.ts"
import { makeThreadMetrics } from "./ThreadMetrics.ts"

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

  constructor() {
    addProcess(this.main.metrics)
    const help = "1 while the service is ready, 0 while it starts or drains."
    this.main.metrics.gauge("postcode_ready", help, {}, () => (this.isReady ? 1 : 0))
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
   * Sets the reported directory.
   *
   * @param databaseConnections the maximum of all threads; undefined if there is no database
   */
  follow(current: CurrentDirectory["Service"], databaseConnections: number | undefined): void {
    this.current = current
    if (databaseConnections === undefined) return
    const help = "Connections to the database that the pools of all threads have at most."
    this.main.metrics.gauge("postcode_database_connections_limit", help).value = databaseConnections
  }

  /** The text for Prometheus. */
  async text(): Promise<string> {
    await Promise.all([...this.workers].map(readWorker))
    const directory = new Metrics()
    if (this.current !== undefined) addDirectory(directory, this.current)
    const workers = [...this.workers].flatMap(({ last }) => last)
    const own = [...this.main.metrics.snapshots(), ...directory.snapshots()]
    return metricsText(sumSnapshots([...own, ...this.ended, ...workers]))
  }
}

const readWorker = async ({ port }: Worker): Promise<void> => {
  const signal = AbortSignal.timeout(readTimeout_ms)
  port.postMessage("read")
  await Promise.race([once(port, "message", { signal }), once(port, "close", { signal })]).catch(() => {})
}

const addDirectory = (metrics: Metrics, current: CurrentDirectory["Service"]): void => {
  const directory = current.get()
  const { activeSize, changes, date, size, version } = directory
  const gauge = (name: string, help: string, value: number, labels = {}) =>
    metrics.gauge(name, help, labels, () => value)
  const info = "The current directory: always 1, its version and date in the labels."
  gauge("postcode_directory_info", info, 1, { version, date })
  gauge("postcode_directory_units", "Units in the directory, by status.", activeSize, { status: "active" })
  gauge("postcode_directory_units", "Units in the directory, by status.", size - activeSize, { status: "retired" })
  gauge("postcode_directory_changes", "Changes applied to the current edition since it was built.", changes)
  const since_s = Date.parse(current.currentSince?.(directory) ?? "") / 1_000
  gauge("postcode_directory_in_force_timestamp_seconds", "When the directory became current.", since_s)
}

/** With the names of all Prometheus client libraries. */
const addProcess = (metrics: Metrics): void => {
  metrics.counter("process_cpu_seconds_total", "Processor time of all threads.", {}, () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  })
  metrics.gauge("process_resident_memory_bytes", "Resident memory of the process.", {}, () => process.memoryUsage.rss())
  metrics.gauge("process_start_time_seconds", "When the process started.").value =
    Math.floor(performance.timeOrigin) / 1_000
  const build = "The program: always 1, its versions in the labels."
  metrics.gauge("postcode_build_info", build, { version, node: process.versions.node }).value = 1
}
