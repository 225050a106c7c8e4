/**
 * The worker threads of the service: so many gateways on one port, one directory and one database. A worker that ends
 * without being told to is replaced, while the others go on.
 */
import { Worker } from "node:worker_threads"
import { checkPort, ListenFailed } from "@postcode/http"
import { Cause, Deferred, Effect, type Scope } from "effect"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../GatewayServer.ts"
import type { DatabaseSettings } from "../store/DatabaseStore.ts"
import type { SharedDirectory } from "./SharedDirectory.ts"
import type { MainMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

/** How many workers, where they listen, and what they work with. */
export interface WorkerPoolOptions {
  readonly workers: number
  readonly host: string
  /** 0 takes any free port, the same for all. */
  readonly port: number
  /** The same for the platform's host; undefined if it is none of its own. */
  readonly platformPort: number | undefined
  readonly settings: GatewaySettings
  readonly directory: SharedDirectory
  /** The database, to which each worker has connections of its own. */
  readonly database: DatabaseSettings
  /** What each thread counts in, by its name. Without it nothing is counted. */
  readonly numbersOf?: ((thread: string) => Float64Array<SharedArrayBuffer>) | undefined
}

/** Workers that listen. */
export interface WorkerPool extends ListeningService {
  /** The threads that listen now. */
  readonly threads: () => ReadonlyArray<Worker>
}

/** A worker ended that nobody had told to. */
export class WorkerFailed {
  readonly _tag = "WorkerFailed"
  readonly message: string
  /** The error that ended it, if there was one. */
  readonly cause: Error | undefined
  constructor(message: string, cause?: Error) {
    this.message = message
    this.cause = cause
  }
}

/**
 * Serves with so many workers until its scope closes; then all of them drain at the same time, and are waited for. It is
 * there once all of them listen, and fails if one of them cannot.
 */
export const runWorkers = (
  options: WorkerPoolOptions
): Effect.Effect<WorkerPool, ListenFailed | WorkerFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { database, directory, host, numbersOf, platformPort, port, settings, workers } = options
    // Servers that share a port share it with those of another process, too. Port 0 never leads to such a port.
    for (const fixed of [port, platformPort ?? 0]) if (fixed !== 0) yield* checkPort({ host, port: fixed })
    const threads = new Set<Worker>()
    const begun = new Set<Worker>()
    yield* tellOfChanges(directory, begun)
    const first = Deferred.makeUnsafe<ListeningService, Ended>()
    const others = Array.from({ length: workers - 1 }, () => Deferred.makeUnsafe<ListeningService, Ended>())
    const keep = (index: number, address: ServiceAddress, listening: Slot["listening"]) => {
      const name = `worker ${index + 1}`
      return keepWorker({
        name,
        listening,
        start: { address, settings, database, numbers: numbersOf?.(name) },
        directory,
        threads,
        begun
      })
    }

    // Free ports are chosen by the first; the others follow it there.
    const asked = { host, port, platformPort }
    const keepOthers = Effect.flatMap(Deferred.await(first), (listening) =>
      Effect.forEach(others, (other, i) => keep(i + 1, chosenBy(listening, asked), other), {
        concurrency: "unbounded",
        discard: true
      })
    )
    yield* Effect.forkScoped(
      Effect.all([keep(0, asked, first), Effect.ignore(keepOthers)], { concurrency: "unbounded" })
    )
    const listening = yield* Deferred.await(first)
    for (const other of others) yield* Deferred.await(other)
    return { ...listening, threads: () => [...threads] }
  })

/** The address with the ports that were free. */
const chosenBy = ({ platform, port }: ListeningService, { host }: ServiceAddress): ServiceAddress => ({
  host,
  port,
  platformPort: platform?.port
})

/** Hands each directory that comes to be in force to all threads; each switches to it in one step. */
const tellOfChanges = (
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
 * How long to wait before a worker is replaced that ended so many times in a row soon after its start: not at all the
 * first time, then 100 ms, and then twice as long each time, up to 10 s.
 */
export const replacementPause_ms = (earlyEnds: number): number =>
  earlyEnds <= 1 ? 0 : Math.min(100 * 2 ** (earlyEnds - 2), 10_000)

/** A worker that ended later than this had started well. */
const early_ms = 60_000

/** Why a worker is no more. */
type Ended = ListenFailed | WorkerFailed

/** The place of one worker in the pool, whichever thread holds it. */
interface Slot {
  readonly name: string
  /** Where its first thread listens, or why it does not. */
  readonly listening: Deferred.Deferred<ListeningService, Ended>
  readonly start: Omit<WorkerStart, "directory">
  readonly directory: SharedDirectory
  /** The threads that listen. */
  readonly threads: Set<Worker>
  /** All threads, those among them that do not listen yet. */
  readonly begun: Set<Worker>
}

/** Runs one thread after the other. If even the first one does not come to listen, it leaves it at that. */
const keepWorker = (slot: Slot): Effect.Effect<void> =>
  Effect.gen(function* () {
    let earlyEnds = 0
    let { address } = slot.start
    for (;;) {
      const started_ms = performance.now()
      const ended = yield* runThread(slot, address)
      if (yield* Deferred.fail(slot.listening, ended)) return
      // The first thread may have chosen the ports; all that follow keep them.
      address = chosenBy(yield* Effect.orDie(Deferred.await(slot.listening)), address)
      earlyEnds = performance.now() - started_ms < early_ms ? earlyEnds + 1 : 1
      const pause_ms = replacementPause_ms(earlyEnds)
      const cause = ended._tag === "WorkerFailed" && ended.cause !== undefined ? Cause.die(ended.cause) : Cause.empty
      const when = pause_ms === 0 ? "at once" : `in ${pause_ms} ms`
      yield* Effect.logError(`${slot.name} ended and is replaced ${when}: ${ended.message}`, cause)
      yield* Effect.sleep(pause_ms)
    }
  })

/** Runs a thread until it ends by itself, and answers why. If interrupted, it stops the thread and waits for its end. */
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
  /** Done once the thread is gone. */
  readonly ended: Deferred.Deferred<Ended>
}

const startThread = (slot: Slot, address: ServiceAddress): Thread => {
  const { begun, directory, listening, name, start, threads } = slot
  const ended = Deferred.makeUnsafe<Ended>()
  const workerData: WorkerStart = { ...start, address, directory: directory.current() }
  const worker = new Worker(entry, { name, workerData, resourceLimits })
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
 * Longer than a server takes to drain (1 s), to finish what is in flight (10 s), to store what is left (8 s), and to give
 * up connections to a database that is silent (10 s).
 */
const patience_ms = 30_000

const stopThread = ({ ended, worker }: Thread): Effect.Effect<void> =>
  Effect.suspend(() => {
    tell(worker, { _tag: "Stop" })
    const timeout = setTimeout(() => void worker.terminate(), patience_ms)
    return Effect.ensuring(
      Effect.asVoid(Deferred.await(ended)),
      Effect.sync(() => clearTimeout(timeout))
    )
  })

/** The bundle has its modules in one folder, and so have the sources. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./serveWorker.ts" : "./serveWorker.js", import.meta.url)

/**
 * Several times what a busy worker needs. One that needs more has a leak, and must not take the whole process with it.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 }
