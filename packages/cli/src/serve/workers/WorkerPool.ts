/**
 * The service's worker threads: gateways on one port, one directory and one database. A worker that ends unexpectedly
 * is replaced.
 */
import { Worker } from "node:worker_threads"
import { checkPort, ListenFailed } from "@postcode/http"
import { Cause, Deferred, Effect, type Scope } from "effect"
import type { ServiceMetrics } from "../../telemetry/ServiceMetrics.ts"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../GatewayServer.ts"
import type { DatabaseSettings } from "../store/DatabaseStore.ts"
import type { SharedDirectory } from "./SharedDirectory.ts"
import type { MainMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

/** The number of workers, their address and their store. */
export interface WorkerPoolOptions {
  readonly workers: number
  readonly host: string
  /** 0 takes any free port, the same for all. */
  readonly port: number
  /** The platform's address; undefined if it is not separate. */
  readonly platformPort: number | undefined
  readonly settings: GatewaySettings
  readonly directory: SharedDirectory
  /** The database; each worker has its own connections. */
  readonly database: DatabaseSettings
  /** Reads the metrics of each thread; undefined if they are not read. */
  readonly metrics?: Pick<ServiceMetrics, "addWorker"> | undefined
}

/** Listening workers. */
export interface WorkerPool extends ListeningService {
  /** The threads that are listening. */
  readonly threads: () => ReadonlyArray<Worker>
}

/** A worker ended unexpectedly. */
export class WorkerFailed {
  readonly _tag = "WorkerFailed"
  readonly message: string
  /** The error that ended it, if any. */
  readonly cause: Error | undefined
  constructor(message: string, cause?: Error) {
    this.message = message
    this.cause = cause
  }
}

/**
 * Runs the workers until its scope closes; then all drain at the same time and are awaited. Ready once all listen;
 * fails if one cannot.
 */
export const runWorkers = (
  options: WorkerPoolOptions
): Effect.Effect<WorkerPool, ListenFailed | WorkerFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { database, directory, host, metrics, platformPort, port, settings, workers } = options
    // Servers that share a port also share it with other processes. Port 0 never yields a shared port.
    for (const fixed of [port, platformPort ?? 0]) if (fixed !== 0) yield* checkPort({ host, port: fixed })
    const threads = new Set<Worker>()
    const begun = new Set<Worker>()
    yield* broadcastChanges(directory, begun)
    const first = Deferred.makeUnsafe<ListeningService, Ended>()
    const others = Array.from({ length: workers - 1 }, () => Deferred.makeUnsafe<ListeningService, Ended>())
    const keep = (index: number, address: ServiceAddress, listening: Slot["listening"]) => {
      return superviseWorker({
        listening,
        start: { name: `worker ${index + 1}`, address, settings, database },
        metrics,
        directory,
        threads,
        begun
      })
    }

    // The first worker chooses the free ports; the others use the same.
    const asked = { host, port, platformPort }
    const runOthers = Effect.flatMap(Deferred.await(first), (listening) =>
      Effect.forEach(others, (other, i) => keep(i + 1, chosenBy(listening, asked), other), {
        concurrency: "unbounded",
        discard: true
      })
    )
    yield* Effect.forkScoped(
      Effect.all([keep(0, asked, first), Effect.ignore(runOthers)], { concurrency: "unbounded" })
    )
    const listening = yield* Deferred.await(first)
    for (const other of others) yield* Deferred.await(other)
    return { ...listening, threads: () => [...threads] }
  })

/** The address with the bound ports. */
const chosenBy = ({ platform, port }: ListeningService, { host }: ServiceAddress): ServiceAddress => ({
  host,
  port,
  platformPort: platform?.port
})

/** Sends each new directory to all threads; each switches atomically. */
const broadcastChanges = (
  directory: SharedDirectory,
  begun: ReadonlySet<Worker>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() =>
        directory.follow((changed) => {
          for (const worker of begun) tell(worker, { _tag: "DirectoryChanged", directory: changed })
        })
      ),
      (unfollow) => Effect.sync(unfollow)
    )
  )

const tell = (worker: Worker, message: MainMessage): void => worker.postMessage(message)

/**
 * The delay before a worker is replaced that ended early several times in a row: none at first, then 100 ms, doubling
 * up to 10 s.
 */
export const replacementPause_ms = (earlyEnds: number): number =>
  earlyEnds <= 1 ? 0 : Math.min(100 * 2 ** (earlyEnds - 2), 10_000)

/** A worker that lived longer counts as started successfully. */
const early_ms = 60_000

/** Why a worker ended. */
type Ended = ListenFailed | WorkerFailed

/** One position in the pool, with its current thread. */
interface Slot {
  /** The first thread's bound address, or its error. */
  readonly listening: Deferred.Deferred<ListeningService, Ended>
  readonly start: Omit<WorkerStart, "directory" | "metrics">
  readonly metrics: WorkerPoolOptions["metrics"]
  readonly directory: SharedDirectory
  /** The threads that are listening. */
  readonly threads: Set<Worker>
  /** All threads, including those that are not listening yet. */
  readonly begun: Set<Worker>
}

/** Runs one thread after another. Gives up if the first does not listen. */
const superviseWorker = (slot: Slot): Effect.Effect<void> =>
  Effect.gen(function* () {
    let earlyEnds = 0
    let { address } = slot.start
    for (;;) {
      const started_ms = performance.now()
      const ended = yield* runThread(slot, address)
      if (yield* Deferred.fail(slot.listening, ended)) return
      // Replacements use the ports that the first thread chose.
      address = chosenBy(yield* Effect.orDie(Deferred.await(slot.listening)), address)
      earlyEnds = performance.now() - started_ms < early_ms ? earlyEnds + 1 : 1
      const pause_ms = replacementPause_ms(earlyEnds)
      const cause = ended._tag === "WorkerFailed" && ended.cause !== undefined ? Cause.die(ended.cause) : Cause.empty
      const when = pause_ms === 0 ? "at once" : `in ${pause_ms} ms`
      yield* Effect.logError(`${slot.start.name} ended and is replaced ${when}: ${ended.message}`, cause)
      yield* Effect.sleep(pause_ms)
    }
  })

/** Runs a thread until it ends, and returns the reason. An interruption stops the thread and awaits its end. */
const runThread = (slot: Slot, address: ServiceAddress): Effect.Effect<Ended> =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => startThread(slot, address)),
        stopThread
      ),
      ({ ended }) => Deferred.await(ended)
    )
  )

interface Thread {
  readonly worker: Worker
  /** Done when the thread has ended. */
  readonly ended: Deferred.Deferred<Ended>
}

const startThread = (slot: Slot, address: ServiceAddress): Thread => {
  const { begun, directory, listening, start, threads } = slot
  const ended = Deferred.makeUnsafe<Ended>()
  const metrics = slot.metrics?.addWorker()
  const workerData: WorkerStart = { ...start, address, metrics, directory: directory.current() }
  const transferList = metrics === undefined ? [] : [metrics]
  const worker = new Worker(entry, { name: start.name, workerData, transferList, resourceLimits })
  begun.add(worker)
  let reason: Ended | undefined
  worker.on("message", (message: WorkerMessage) => {
    switch (message._tag) {
      case "ListenFailed":
        reason = new ListenFailed(message.message)
        return
      case "UnitsWanted":
        tell(worker, {
          _tag: "UnitsFound",
          query: message.query,
          attributes: directory.attributes?.(message.postcodes) ?? []
        })
        return
      case "Listening":
        threads.add(worker)
        Deferred.doneUnsafe(listening, Effect.succeed(message))
    }
  })
  worker.on("error", (error: Error) => {
    reason = new WorkerFailed(error.message, error)
  })
  worker.once("exit", (code) => {
    threads.delete(worker)
    begun.delete(worker)
    Deferred.doneUnsafe(ended, Effect.succeed(reason ?? new WorkerFailed(`its thread exited with code ${code}`)))
  })
  return { worker, ended }
}

/**
 * Longer than a server takes to drain (1 s), to complete requests in flight (10 s), to flush (8 s), and to close
 * connections to an unresponsive database (10 s).
 */
const stopTimeout_ms = 30_000

const stopThread = ({ ended, worker }: Thread): Effect.Effect<void> =>
  Effect.suspend(() => {
    tell(worker, { _tag: "Stop" })
    const timeout = setTimeout(() => void worker.terminate(), stopTimeout_ms)
    return Effect.ensuring(
      Effect.asVoid(Deferred.await(ended)),
      Effect.sync(() => clearTimeout(timeout))
    )
  })

/** Both the bundle and the sources have this module's neighbours in one folder. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./serveWorker.ts" : "./serveWorker.js", import.meta.url)

/** Several times the heap of a busy worker. A leak then ends only the worker, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }
