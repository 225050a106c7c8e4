/**
 * The service's worker processes. Each is a replica with its own directory and connections to the database; the cluster
 * module of Node gives them one listening port. A worker that ends unexpectedly is replaced.
 */
import cluster, { type Worker } from "node:cluster"
import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import type { MetricSnapshot } from "@postcode/http"
import { Cause, Deferred, Effect, type Scope } from "effect"
import type { ListeningService } from "../GatewayServer.ts"
import { logOutput } from "../log/LogOutput.ts"
import { CommandFailure } from "../process/ExitCode.ts"
import type { StoreDescription } from "../store/OpenedStore.ts"
import type { ServiceMetrics } from "../telemetry/ServiceMetrics.ts"
import type { PrimaryMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

/** The number of workers and what each gets. The ports are not 0, so that replacements have the same. */
export interface WorkerPoolOptions {
  readonly workers: number
  readonly start: Omit<WorkerStart, "isMeasured" | "name">
  /** Reads the metrics of each worker; undefined if they are not read. */
  readonly metrics: Pick<ServiceMetrics, "addWorker"> | undefined
}

/** Listening workers, and the store as the first of them has opened it. */
export interface ListeningWorkers {
  readonly listening: ListeningService
  readonly store: StoreDescription
}

/** Why a worker ended. */
interface Ended {
  readonly message: string
  readonly cause?: string | undefined
}

/** One position in the pool, which one process after another holds. */
interface Slot extends WorkerPoolOptions {
  readonly name: string
  /** Where its first process listens, or why it does not. */
  readonly listening: Deferred.Deferred<ListeningWorkers, CommandFailure>
  /** Whether its log is shown from the beginning: the start of the others looks the same. */
  readonly isFirst: boolean
}

/**
 * Runs the workers until its scope closes; then all drain at the same time and are awaited. Ready once all listen; fails
 * if one cannot.
 */
export const runWorkers = (options: WorkerPoolOptions): Effect.Effect<ListeningWorkers, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    // Workers accept by themselves. A connection that Node passes to a worker hangs if the worker is killed meanwhile.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: workerFile, args: [], serialization: "advanced", silent: true })
    const slots = Array.from({ length: options.workers }, (_, i): Slot => {
      return { ...options, name: `worker ${i + 1}`, listening: Deferred.makeUnsafe(), isFirst: i === 0 }
    })
    yield* Effect.forkScoped(Effect.forEach(slots, superviseWorker, { concurrency: "unbounded", discard: true }))
    const [first] = yield* Effect.all(
      slots.map(({ listening }) => Deferred.await(listening)),
      { concurrency: "unbounded" }
    )
    return first as ListeningWorkers
  })

/**
 * The delay before a worker is replaced that ended early several times in a row: none at first, then 100 ms, doubling
 * up to 10 s.
 */
export const replacementPause_ms = (earlyEnds: number): number =>
  earlyEnds <= 1 ? 0 : Math.min(100 * 2 ** (earlyEnds - 2), 10_000)

/** A worker that lived longer counts as started successfully. */
const early_ms = 60_000

/** Runs one process after another. Gives up if the first does not listen. */
const superviseWorker = (slot: Slot): Effect.Effect<void> =>
  Effect.gen(function* () {
    let earlyEnds = 0
    for (;;) {
      const started_ms = performance.now()
      const { cause, message } = yield* runProcess(slot)
      if (yield* Deferred.fail(slot.listening, new CommandFailure(message))) return
      earlyEnds = performance.now() - started_ms < early_ms ? earlyEnds + 1 : 1
      const pause_ms = replacementPause_ms(earlyEnds)
      const when = pause_ms === 0 ? "at once" : `in ${pause_ms} ms`
      yield* Effect.logError(`${slot.name} ended and is replaced ${when}: ${message}`, causeOf(cause))
      yield* Effect.sleep(pause_ms)
    }
  })

/** The stack is that of the worker. */
const causeOf = (stack: string | undefined): Cause.Cause<never> =>
  stack === undefined ? Cause.empty : Cause.die(Object.assign(new Error("a worker failed"), { stack }))

/** Runs a process until it ends, and returns the reason. An interruption stops the process and awaits its end. */
const runProcess = (slot: Slot): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const { metrics, name, start } = slot
    const worker = cluster.fork(sharedCache())
    const reading = readMetrics(worker)
    const forgetMetrics = metrics?.addWorker(reading.read)
    forwardLog(worker, slot)
    let reason: Ended | undefined
    worker.on("message", (message: WorkerMessage) => {
      if (message._tag === "Metrics") reading.take(message.snapshots)
      else if (message._tag === "Failed") reason = message
      else Deferred.doneUnsafe(slot.listening, Effect.succeed(message))
    })
    worker.on("error", ({ message }) => {
      reason ??= { message }
    })
    const ended = new Promise<Ended>((resolve) => {
      // Its log has been read to the end.
      worker.process.once("close", (code, signal) => {
        forgetMetrics?.()
        resolve(
          reason ?? { message: signal === null ? `its process exited with code ${code}` : `its process got ${signal}` }
        )
      })
    })
    send(worker, { _tag: "Start", start: { ...start, name, isMeasured: metrics !== undefined } })
    void ended.then((why) => resume(Effect.succeed(why)))
    return Effect.promise(async () => {
      send(worker, { _tag: "Stop" })
      const timeout = setTimeout(() => worker.process.kill("SIGKILL"), stopTimeout_ms)
      await ended
      clearTimeout(timeout)
    })
  })

/** A worker that has just ended gets nothing. */
const send = (worker: Worker, message: PrimaryMessage): void => {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** Asks a worker for its metrics, once at a time. */
const readMetrics = (worker: Worker) => {
  type Snapshots = ReadonlyArray<MetricSnapshot>
  let reading: Promise<Snapshots> | undefined
  let answer = (_: Snapshots): void => {}
  return {
    read: () => {
      reading ??= new Promise<Snapshots>((resolve) => {
        answer = resolve
        send(worker, { _tag: "ReadMetrics" })
      })
      return reading
    },
    take: (snapshots: Snapshots) => {
      answer(snapshots)
      reading = undefined
    }
  }
}

/** Writes whole lines, so that those of several processes do not mix. */
const forwardLog = ({ process: { stderr } }: Worker, { isFirst, listening }: Slot): void => {
  if (stderr === null) return
  createInterface({ input: stderr }).on("line", (line) => {
    if (isFirst || Deferred.isDoneUnsafe(listening)) logOutput.write(`${line}\n`, 1)
  })
}

/** Compiled code is kept for all processes. */
const sharedCache = (): Record<string, string> => {
  const folder = getCompileCacheDir()
  // Node appends its version to the folder that it is given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/**
 * Longer than a server takes to drain (1 s), to complete requests in flight (10 s), to flush (8 s), and to close
 * connections to an unresponsive database (10 s).
 */
const stopTimeout_ms = 30_000

/** Both the bundle and the sources have this module's neighbours in one folder. */
const workerFile = new URL(import.meta.url.endsWith(".ts") ? "./serveWorker.ts" : "./serveWorker.js", import.meta.url)
  .pathname
