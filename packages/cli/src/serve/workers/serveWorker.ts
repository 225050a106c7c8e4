/**
 * A worker thread: a gateway on the shared directory with its own database connections. It serves until it is stopped,
 * and ends when no request is in flight.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import { Directory } from "@postcode/core/Directory"
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { layerFixedChanges } from "@postcode/core/directory/layerFixedChanges"
import type { DirectoryPorts } from "@postcode/core/store/Store"
import { CurrentEdition, layerDirectoryChanges, layerUnits } from "@postcode/postgres"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerStoreMeter } from "../../telemetry/storeMeter.ts"
import { answerReads, makeThreadMetrics } from "../../telemetry/ThreadMetrics.ts"
import { layerSettings, serveGatewayAt } from "../GatewayServer.ts"
import { layerDatabaseStore } from "../store/DatabaseStore.ts"
import { layerFileUnits } from "./fileUnits.ts"
import { type DirectoryImage, directoryOfFiles } from "./SharedDirectory.ts"
import type { MainMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

if (parentPort === null) throw new Error("serveWorker runs as a worker thread: start it with postcode serve --workers")
const main: MessagePort = parentPort
const start = workerData as WorkerStart

const say = (message: WorkerMessage): void => main.postMessage(message)

const open = (image: DirectoryImage) => ({ ...image, directory: Directory.open(image.image, { verify: false }) })
let current = open(start.directory)

const stopRequested: Effect.Effect<void> = Effect.callback((resume) => {
  main.on("message", (message: MainMessage) => {
    if (message._tag === "Stop") resume(Effect.void)
    else if (message._tag === "DirectoryChanged") current = open(message.directory)
  })
})

const layerCurrentDirectory = Layer.succeed(CurrentDirectory, {
  get: () => current.directory,
  currentSince: (directory) => (directory === current.directory ? current.since : undefined)
})

/** Attributes come from the database for its own directory, and from the main thread for a directory from files. */
const layerUnitsOf = ({
  edition
}: DirectoryImage): Layer.Layer<Exclude<DirectoryPorts, CurrentDirectory>, never, CurrentDirectory | SqlClient> =>
  edition === undefined
    ? Layer.provideMerge(layerFixedChanges(directoryOfFiles), layerFileUnits(main))
    : Layer.provide(
        Layer.merge(layerUnits, layerDirectoryChanges),
        Layer.succeed(CurrentEdition, { get: () => ({ ...current, edition: current.edition ?? edition }) })
      )

const serveUntilStopped = ({ address, database, directory, metrics: port, name, settings }: WorkerStart) => {
  const metrics = port && makeThreadMetrics(name)
  if (port !== undefined && metrics !== undefined) answerReads(port, metrics)
  const ports = layerUnitsOf(directory).pipe(
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
await Effect.runPromise(Effect.raceFirst(serveUntilStopped(start), stopRequested))
main.close()
