/**
 * A worker thread: a gateway on the shared directory with its own database connections. It serves until it is stopped,
 * and ends when no request is in flight.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { layerFixedChanges } from "@postcode/gateway/directory/changes/layerFixedChanges"
import type { DirectoryPorts } from "@postcode/gateway/Store"
import { CurrentEdition, layerDirectoryChanges, layerUnits } from "@postcode/postgres"
import { Deferred, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerSettings, serveGatewayAt } from "../GatewayServer.ts"
import { layerDatabaseStore } from "../store/DatabaseStore.ts"
import { layerStoreMeter } from "../telemetry/storeMeter.ts"
import { answerReads, makeThreadMetrics } from "../telemetry/ThreadMetrics.ts"
import { layerFileUnits } from "./fileUnits.ts"
import { directoryOfFiles } from "./SharedDirectory.ts"
import { ThreadDirectory } from "./ThreadDirectory.ts"
import type { MainMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

if (parentPort === null) throw new Error("serveWorker runs as a worker thread: start it with postcode serve --workers")
const main: MessagePort = parentPort
const start = workerData as WorkerStart

const say = (message: WorkerMessage): void => main.postMessage(message)

const directory = await ThreadDirectory.open(start.directory)

const stopRequested = Deferred.makeUnsafe<void>()

main.on("message", (message: MainMessage) => {
  if (message._tag === "Stop") Deferred.doneUnsafe(stopRequested, Effect.void)
  // A failure ends the thread, and the main thread starts another.
  else if (message._tag !== "UnitsFound") void directory.take(message)
})

const layerCurrentDirectory = Layer.succeed(CurrentDirectory, {
  get: () => directory.current,
  currentSince: ({ version }) => directory.since(version)
})

/** Attributes come from the database for its own directory, and from the main thread for a directory from files. */
const layerUnitsOf = (
  edition: number | undefined
): Layer.Layer<Exclude<DirectoryPorts, CurrentDirectory>, never, CurrentDirectory | SqlClient> =>
  edition === undefined
    ? Layer.provideMerge(layerFixedChanges(directoryOfFiles), layerFileUnits(main))
    : Layer.provide(
        Layer.merge(layerUnits, layerDirectoryChanges),
        Layer.succeed(CurrentEdition, {
          get: () => ({ edition: directory.edition ?? edition, directory: directory.current })
        })
      )

const serveUntilStopped = ({ address, database, metrics: port, name, settings }: WorkerStart) => {
  const metrics = port && makeThreadMetrics(name)
  if (port !== undefined && metrics !== undefined) answerReads(port, metrics)
  const ports = layerUnitsOf(directory.edition).pipe(
    Layer.provideMerge(layerDatabaseStore(database)),
    Layer.provideMerge(Layer.merge(layerCurrentDirectory, layerSettings(settings))),
    Layer.provideMerge(layerStoreMeter(metrics))
  )
  const served = Effect.gen(function* () {
    say({ _tag: "Listening", ...(yield* serveGatewayAt({ ...address, reusePort: true }, settings, metrics)) })
    return yield* Effect.never
  })
  return Effect.scoped(served).pipe(
    Effect.catch(({ message }) => Effect.sync(() => say({ _tag: "ListenFailed", message }))),
    Effect.provide(ports)
  )
}

// Any other error ends the thread, and the main thread starts another.
await Effect.runPromise(Effect.raceFirst(serveUntilStopped(start), Deferred.await(stopRequested)))
main.close()
