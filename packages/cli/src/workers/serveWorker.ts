/**
 * A worker thread of the service: a gateway on the shared directory and on the store of the main thread. It serves until
 * it is told to stop, and ends once nothing is in flight any more.
 */
import { parentPort, workerData } from "node:worker_threads"
import { Directory } from "@postcode/core/Directory"
import { CurrentDirectory } from "@postcode/core/ports/CurrentDirectory"
import { Effect, Layer } from "effect"
import { layerSettings, serveGatewayAt } from "../serve/GatewayServer.ts"
import { layerRemoteStore } from "./RemoteStore.ts"
import { stop, type WorkerMessage, type WorkerStart } from "./WorkerMessages.ts"

if (parentPort === null) throw new Error("serveWorker runs as a worker thread: start it with postcode serve --workers")
const main = parentPort

const say = (message: WorkerMessage): void => main.postMessage(message)

const toldToStop: Effect.Effect<void> = Effect.callback((resume) => {
  main.on("message", (message) => {
    if (message === stop) resume(Effect.void)
  })
})

const serveUntilStopped = ({ host, image, port, settings, store }: WorkerStart) => {
  const directory = Directory.open(image, { verify: false })
  const ports = Layer.mergeAll(
    layerRemoteStore(store),
    Layer.succeed(CurrentDirectory, { get: () => directory }),
    layerSettings(settings)
  )
  const served = Effect.gen(function* () {
    say({ _tag: "Listening", ...(yield* serveGatewayAt({ host, port, reusePort: true }, settings)) })
    return yield* Effect.never
  })
  return Effect.scoped(served).pipe(
    Effect.catch(({ message }) => Effect.sync(() => say({ _tag: "ListenFailed", message }))),
    Effect.provide(ports)
  )
}

// Whatever goes wrong beyond that ends the thread, and the main thread learns of it and starts another one.
await Effect.runPromise(Effect.raceFirst(serveUntilStopped(workerData as WorkerStart), toldToStop))
main.close()
