/** All metrics of the service: of its threads, the process and the current directory. */
import type { Directory } from "@postcode/core/Directory"
import type { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { familiesOf, type MetricFamily, metricsText } from "@postcode/http"
import { version } from "../Version.ts"
import { makeThreadNumbers, threadFamilyBlocks } from "./ThreadMetrics.ts"

/** Collects all threads' metrics as one text. */
export class ServiceMetrics {
  private readonly threads = new Map<string, Float64Array<SharedArrayBuffer>>()
  private current: CurrentDirectory["Service"] | undefined
  private databaseConnections: number | undefined

  /** The metrics of a thread by its name. A replacement thread continues them, so that no counter decreases. */
  numbersOf(thread: string): Float64Array<SharedArrayBuffer> {
    const numbers = this.threads.get(thread) ?? makeThreadNumbers()
    this.threads.set(thread, numbers)
    return numbers
  }

  /**
   * Sets the reported directory.
   *
   * @param databaseConnections the maximum of all threads; undefined if there is no database
   */
  follow(current: CurrentDirectory["Service"], databaseConnections: number | undefined): void {
    this.current = current
    this.databaseConnections = databaseConnections
  }

  /** @param isReady whether the service is ready and not stopping */
  text(isReady: boolean): string {
    const threads = [...this.threads].map(([thread, numbers]) => ({ thread, numbers }))
    return metricsText([
      single("postcode_ready", "gauge", "1 while the service is ready, 0 while it starts or drains.", isReady ? 1 : 0),
      ...familiesOf(threadFamilyBlocks, threads),
      ...(this.databaseConnections === undefined ? [] : [connectionLimit(this.databaseConnections)]),
      ...(this.current === undefined ? [] : directoryFamilies(this.current)),
      ...processFamilies()
    ])
  }
}

const single = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number,
  labels: Readonly<Record<string, string>> = {}
): MetricFamily => ({ name, type, help, samples: [{ labels, value }] })

const connectionLimit = (connections: number): MetricFamily =>
  single(
    "postcode_database_connections_limit",
    "gauge",
    "Connections to the database that the pools of all threads have at most.",
    connections
  )

const directoryFamilies = (current: CurrentDirectory["Service"]): ReadonlyArray<MetricFamily> => {
  const directory = current.get()
  const since = current.currentSince?.(directory)
  return [
    single(
      "postcode_directory_info",
      "gauge",
      "The current directory: always 1, its version and date in the labels.",
      1,
      {
        version: directory.version,
        date: directory.date
      }
    ),
    directoryUnits(directory),
    single(
      "postcode_directory_changes",
      "gauge",
      "Changes applied to the current edition since it was built.",
      directory.changes
    ),
    ...(since === undefined
      ? []
      : [
          single(
            "postcode_directory_in_force_timestamp_seconds",
            "gauge",
            "When the directory became current.",
            Date.parse(since) / 1_000
          )
        ])
  ]
}

const directoryUnits = ({ activeSize, size }: Directory): MetricFamily => ({
  name: "postcode_directory_units",
  type: "gauge",
  help: "Units in the directory, by status.",
  samples: [
    { labels: { status: "active" }, value: activeSize },
    { labels: { status: "retired" }, value: size - activeSize }
  ]
})

/** With the names of all Prometheus client libraries. */
const processFamilies = (): ReadonlyArray<MetricFamily> => {
  const { system, user } = process.cpuUsage()
  return [
    single("process_cpu_seconds_total", "counter", "Processor time of all threads.", (system + user) / 1e6),
    single("process_resident_memory_bytes", "gauge", "Resident memory of the process.", process.memoryUsage.rss()),
    single(
      "process_start_time_seconds",
      "gauge",
      "When the process started.",
      Math.floor(performance.timeOrigin) / 1_000
    ),
    single("postcode_build_info", "gauge", "The program: always 1, its versions in the labels.", 1, {
      version,
      node: process.versions.node
    })
  ]
}
