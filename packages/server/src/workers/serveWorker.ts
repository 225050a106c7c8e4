/**
 * A worker process: a replica of the service on the port that all workers share. It serves until the primary process
 * stops it, and ends when no request is in flight. If the primary process is gone, Node ends it at once.
 */
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Cause, Context, Deferred, Effect, Exit, Layer, Redacted } from "effect"
import { layerSettings } from "../GatewayServer.ts"
import { messageOf } from "../process/ExitCode.ts"
import { serveReplica } from "../serveReplica.ts"
import { openDatabaseStore } from "../store/openDatabaseStore.ts"
import { makeProcessMetrics, type ProcessMetrics } from "../telemetry/ProcessMetrics.ts"
import { layerStoreMeter } from "../telemetry/storeMeter.ts"
import type { PrimaryMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

const send = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))

/** A terminal and some supervisors signal all processes. The primary process decides when its workers end. */
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})

const end = async (code: number, failure?: { readonly message: string; readonly cause?: string }): Promise<void> => {
  if (failure !== undefined) await send({ _tag: "Failed", ...failure })
  process.stderr.write("", () => process.exit(code))
}

process.on("uncaughtException", (error) => void end(1, { message: messageOf(error), cause: error.stack ?? "" }))

const started = Deferred.makeUnsafe<WorkerStart>()
const stopRequested = Deferred.makeUnsafe<void>()
let metrics: ProcessMetrics | undefined

process.on("message", (message: PrimaryMessage) => {
  if (message._tag === "Start") Deferred.doneUnsafe(started, Effect.succeed(message.start))
  else if (message._tag === "Stop") Deferred.doneUnsafe(stopRequested, Effect.void)
  else void send({ _tag: "Metrics", snapshots: metrics?.snapshots() ?? [] })
})

const serve = ({ address, isMeasured, name, settings, url, ...input }: WorkerStart) => {
  if (isMeasured) metrics = makeProcessMetrics(name)
  return Effect.gen(function* () {
    const { ports, ...store } = yield* openDatabaseStore({ ...input, url: Redacted.make(url) })
    const listening = yield* Effect.provide(serveReplica(address, settings, metrics), ports)
    metrics?.addDirectory(Context.get(ports, CurrentDirectory))
    metrics?.addDatabase(input.connections)
    const { activeSize, changes, size, version } = store.directory
    const directory = { activeSize, changes, size, version }
    const { hasAttributes, source, storage } = store
    void send({ _tag: "Listening", listening, store: { directory, hasAttributes, source, storage } })
    return yield* Effect.never
  }).pipe(Effect.provide(Layer.merge(layerSettings(settings), layerStoreMeter(metrics))), Effect.scoped)
}

const exit = await Effect.runPromiseExit(
  Effect.raceFirst(Effect.flatMap(Deferred.await(started), serve), Deferred.await(stopRequested))
)
if (Exit.isSuccess(exit)) await end(0)
else {
  const failure: unknown = Cause.squash(exit.cause)
  const message = (failure as { readonly message?: string }).message ?? String(failure)
  await end(1, failure instanceof Error ? { message, cause: Cause.pretty(exit.cause) } : { message })
}
