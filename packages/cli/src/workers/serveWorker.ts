/**
 * A worker thread of the service: a gateway on the shared directory, and on the store of the main thread or on the
 * database. It serves until it is told to stop, and ends once nothing is in flight any more.
 */
import { parentPort, workerData } from "node:worker_threads"
import { Directory } from "@postcode/core/Directory"
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { Effect, Layer } from "effect"
import { layerStoreMeter } from "../operations/storeMeter.ts"
import { layerSettings, serveGatewayAt } from "../serve/GatewayServer.ts"
import type { OpenedImage } from "./DatabasePorts.ts"
import { layerRemoteStore } from "./RemoteStore.ts"
import type { DirectoryImage } from "./SharedDirectory.ts"
import type { StorePorts } from "./StoreCalls.ts"
import type { MainMessage, WorkerMessage, WorkerStart } from "./WorkerMessages.ts"

if (parentPort === null) throw new Error("serveWorker runs as a worker thread: start it with postcode serve --workers")
const main = parentPort
const start = workerData as WorkerStart

const say = (message: WorkerMessage): void => main.postMessage(message)

const open = (directory: DirectoryImage): OpenedImage => ({
  ...directory,
  directory: Directory.open(directory.image, { verify: false })
})
let inForce = open(start.directory)

const toldToStop: Effect.Effect<void> = Effect.callback((resume) => {
  main.on("message", (message: MainMessage) => {
    if (message._tag === "Stop") resume(Effect.void)
    else inForce = open(message.directory)
  })
})

/** The part for a database is loaded only where there is one. */
const layerStore = ({ database, store }: WorkerStart): Layer.Layer<StorePorts, { readonly message: string }> =>
  database === undefined
    ? layerRemoteStore(store)
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./DatabasePorts.ts")),
          ({ layerDatabasePorts }) => layerDatabasePorts(database, start, () => inForce)
        )
      )

const serveUntilStopped = ({ address, numbers, settings }: WorkerStart) => {
  const ports = Layer.mergeAll(
    layerStore(start),
    Layer.succeed(CurrentDirectory, {
      get: () => inForce.directory,
      inForceSince: (directory) => (directory === inForce.directory ? inForce.since : undefined)
    }),
    layerSettings(settings)
  ).pipe(Layer.provideMerge(layerStoreMeter(numbers)))
  const served = Effect.gen(function* () {
    say({ _tag: "Listening", ...(yield* serveGatewayAt({ ...address, reusePort: true }, settings, numbers)) })
    return yield* Effect.never
  })
  return Effect.scoped(served).pipe(
    Effect.catch(({ message }) => Effect.sync(() => say({ _tag: "ListenFailed", message }))),
    Effect.provide(ports)
  )
}

// Whatever goes wrong beyond that ends the thread, and the main thread learns of it and starts another one.
await Effect.runPromise(Effect.raceFirst(serveUntilStopped(start), toldToStop))
main.close()
