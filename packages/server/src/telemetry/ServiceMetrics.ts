/** All metrics of the service: of its main process, and of its workers. */
import { setTimeout } from "node:timers/promises"
import { type MetricSnapshot, metricsText } from "@postcode/http"
import { Effect, type Scope } from "effect"
import { makeProcessMetrics } from "./ProcessMetrics.ts"
import { sumSnapshots } from "./sumSnapshots.ts"

/** A worker that does not answer in this time is shown with its last values. */
const readTimeout_ms = 1_000

interface Worker {
  /** Rejects never; may stay without an answer. */
  readonly read: () => Promise<ReadonlyArray<MetricSnapshot>>
  last: ReadonlyArray<MetricSnapshot>
}

/** Collects the metrics of all processes as one text. */
export class ServiceMetrics {
  /** Those of this process. */
  readonly main = makeProcessMetrics("main")
  /** Whether the service is ready and not stopping. */
  isReady = false
  private readonly workers = new Set<Worker>()
  /** Totals of workers that ended, so that no counter decreases. */
  private ended: ReadonlyArray<MetricSnapshot> = []

  /** @param version of the running program */
  constructor(version: string) {
    const { metrics } = this.main
    metrics.gauge("process_start_time_seconds").add(Math.floor(performance.timeOrigin) / 1_000)
    metrics.gauge("postcode_build_info", { version, node: process.versions.node }).add(1)
    metrics.gauge("postcode_ready", {}, () => (this.isReady ? 1 : 0))
  }

  /** Adds a worker. The result removes it when it has ended. */
  addWorker(read: Worker["read"]): () => void {
    const worker: Worker = { read, last: [] }
    this.workers.add(worker)
    return () => {
      this.workers.delete(worker)
      this.ended = sumSnapshots([...this.ended, ...worker.last.filter(({ type }) => type !== "Gauge")])
    }
  }

  /** Reports until the scope closes that the service is ready. */
  readonly ready: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(this.setReady(true), () =>
    this.setReady(false)
  )

  /** The text for Prometheus. */
  async text(): Promise<string> {
    await Promise.all([...this.workers].map(readWorker))
    const workers = [...this.workers].flatMap(({ last }) => last)
    return metricsText(sumSnapshots([...this.main.snapshots(), ...this.ended, ...workers]))
  }

  private setReady(isReady: boolean): Effect.Effect<void> {
    return Effect.sync(() => {
      this.isReady = isReady
    })
  }
}

const readWorker = async (worker: Worker): Promise<void> => {
  const timeout = new AbortController()
  const late = setTimeout(readTimeout_ms, undefined, { signal: timeout.signal }).catch(() => undefined)
  const snapshots = await Promise.race([worker.read(), late])
  timeout.abort()
  if (snapshots !== undefined) worker.last = snapshots
}
