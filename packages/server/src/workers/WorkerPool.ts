/**
 * The service's worker threads: gateways on one port, one directory and one database. A worker that ends unexpectedly
 * is replaced.
 */
import { Worker } from "node:worker_threads"
import { checkPort, ListenFailed } from "@postcode/http"
import { Cause, Deferred, Effect, type Scope } from "effect"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../GatewayServer.ts"
import type { DatabaseSettings } from "../store/DatabaseStore.ts"
import type { ServiceMetrics } from "../telemetry/ServiceMetrics.ts"
import type { SharedDirectory } from "./SharedDirectory.ts"
import type { MainMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

/** The number of workers, their address and their store. Port 0 takes any free port, the same for all. */
export interface WorkerPoolOptions extends Pick<ServiceAddress, "host" | "platformPort" | "port"> {
  readonly workers: number
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

/** Why a worker ended: it could not listen, the error that ended it, or its exit code. */
type Ended = ListenFailed | Error | { readonly message: string }

/** One position in the pool, which one thread after another holds. */
interface Slot extends WorkerPoolOptions {
  readonly name: string
  /** The first thread's bound address, or its error. */
  readonly listening: Deferred.Deferred<ListeningService, Ended>
  /** The threads of the pool that are listening. */
  readonly threads: Set<Worker>
}

/**
 * Runs the workers until its scope closes; then all drain at the same time and are awaited. Ready once all listen;
 * fails if one cannot.
 */
export const runWorkers = (options: WorkerPoolOptions): Effect.Effect<WorkerPool, Ended, Scope.Scope> =>
  Effect.gen(function* () {
    const { host, platformPort, port, workers } = options
    // Servers that share a port also share it with other processes. Port 0 never yields a shared port.
    for (const fixed of [port, platformPort ?? 0]) if (fixed !== 0) yield* checkPort({ host, port: fixed })
    const threads = new Set<Worker>()
    const slots = Array.from({ length: workers }, (_, i): Slot => {
      return { ...options, name: `worker ${i + 1}`, listening: Deferred.makeUnsafe(), threads }
    })
    const [first, ...others] = slots as [Slot, ...ReadonlyArray<Slot>]
    // The first worker chooses the free ports; the others use the same.
    const runOthers = Effect.flatMap(Deferred.await(first.listening), (chosen) =>
      Effect.forEach(others, (slot) => superviseWorker(slot, addressOf(chosen, host)), {
        concurrency: "unbounded",
        discard: true
      })
    )
    const runAll = Effect.all([superviseWorker(first, { host, port, platformPort }), Effect.ignore(runOthers)], {
      concurrency: "unbounded"
    })
    yield* Effect.forkScoped(runAll)
    const listening = yield* Deferred.await(first.listening)
    for (const other of others) yield* Deferred.await(other.listening)
    return { ...listening, threads: () => [...threads] }
  })

/** The address with the bound ports. */
const addressOf = ({ platform, port }: ListeningService, host: string): ServiceAddress => ({
  host,
  port,
  platformPort: platform?.port
})

/**
 * The delay before a worker is replaced that ended early several times in a row: none at first, then 100 ms, doubling
 * up to 10 s.
 */
export const replacementPause_ms = (earlyEnds: number): number =>
  earlyEnds <= 1 ? 0 : Math.min(100 * 2 ** (earlyEnds - 2), 10_000)

/** A worker that lived longer counts as started successfully. */
const early_ms = 60_000

/** Runs one thread after another. Gives up if the first does not listen. */
const superviseWorker = (slot: Slot, asked: ServiceAddress): Effect.Effect<void> =>
  Effect.gen(function* () {
    let earlyEnds = 0
    let address = asked
    for (;;) {
      const started_ms = performance.now()
      const ended = yield* runThread(slot, address)
      if (yield* Deferred.fail(slot.listening, ended)) return
      // Replacements use the ports that the first thread chose.
      address = addressOf(yield* Effect.orDie(Deferred.await(slot.listening)), asked.host)
      earlyEnds = performance.now() - started_ms < early_ms ? earlyEnds + 1 : 1
      const pause_ms = replacementPause_ms(earlyEnds)
      const cause = ended instanceof Error ? Cause.die(ended) : Cause.empty
      const when = pause_ms === 0 ? "at once" : `in ${pause_ms} ms`
      yield* Effect.logError(`${slot.name} ended and is replaced ${when}: ${ended.message}`, cause)
      yield* Effect.sleep(pause_ms)
    }
  })

/** Runs a thread until it ends, and returns the reason. An interruption stops the thread and awaits its end. */
const runThread = (slot: Slot, address: ServiceAddress): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const { database, directory, name, settings, threads } = slot
    const metrics = slot.metrics?.addWorker()
    const workerData: WorkerStart = { address, settings, database, name, metrics, directory: directory.current() }
    const transferList = metrics === undefined ? [] : [metrics]
    const worker = new Worker(entry, { name, workerData, transferList, resourceLimits })
    const send = (message: MainMessage): void => worker.postMessage(message)
    const unfollow = directory.follow(send)
    let reason: Ended | undefined
    worker.on("message", (message: WorkerMessage) => {
      if (message._tag === "ListenFailed") reason = new ListenFailed(message.message)
      else if (message._tag === "UnitsWanted") {
        const { postcodes, query } = message
        send({ _tag: "UnitsFound", query, attributes: directory.attributes?.(postcodes) ?? [] })
      } else {
        threads.add(worker)
        Deferred.doneUnsafe(slot.listening, Effect.succeed(message))
      }
    })
    worker.on("error", (error: Error) => {
      reason = error
    })
    const ended = new Promise<Ended>((resolve) => {
      worker.once("exit", (code) => {
        threads.delete(worker)
        unfollow()
        resolve(reason ?? { message: `its thread exited with code ${code}` })
      })
    })
    void ended.then((why) => resume(Effect.succeed(why)))
    return Effect.promise(async () => {
      send({ _tag: "Stop" })
      const timeout = setTimeout(() => void worker.terminate(), stopTimeout_ms)
      await ended
      clearTimeout(timeout)
    })
  })

/**
 * Longer than a server takes to drain (1 s), to complete requests in flight (10 s), to flush (8 s), and to close
 * connections to an unresponsive database (10 s).
 */
const stopTimeout_ms = 30_000

/** Both the bundle and the sources have this module's neighbours in one folder. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./serveWorker.ts" : "./serveWorker.js", import.meta.url)

/** Several times the heap of a busy worker. A leak then ends only the worker, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }
