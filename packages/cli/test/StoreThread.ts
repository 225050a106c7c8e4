/** A store in a thread of its own, reached as workers reach the one of the main thread. */
import { once } from "node:events"
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect, Layer } from "effect"
import { layerRemoteStore } from "../src/workers/RemoteStore.ts"
import type { StorePorts } from "../src/workers/StoreCalls.ts"

export interface StoreThreadData {
  readonly port: MessagePort
  /** Whether its clock only moves when told to. */
  readonly stillClock: boolean
  readonly units: ReadonlyArray<readonly [Postcode, UnitAttributes]>
}

export interface StoreThread {
  /** Starts the thread; once its scope closes, the thread ends by itself and is waited for. */
  readonly layer: Layer.Layer<StorePorts>
  /** Moves the store's clock. */
  readonly advance: (duration_ms: number) => Effect.Effect<void>
}

export const makeStoreThread = (options: Partial<Omit<StoreThreadData, "port">> = {}): StoreThread => {
  let running: Worker | undefined
  const start = Effect.sync(() => {
    const { port1, port2 } = new MessageChannel()
    const workerData: StoreThreadData = { port: port2, stillClock: false, units: [], ...options }
    const worker = new Worker(new URL("./StoreWorker.ts", import.meta.url), { workerData, transferList: [port2] })
    running = worker
    return { worker, port: port1, ended: once(worker, "exit") }
  })
  const thread = Effect.acquireRelease(start, ({ ended }) => Effect.promise(() => ended))
  return {
    layer: Layer.unwrap(Effect.map(thread, ({ port }) => layerRemoteStore(port))),
    advance: (duration_ms) =>
      Effect.promise(async () => {
        if (running === undefined) throw new Error("the store is there only while the tests run")
        const advanced = once(running, "message")
        running.postMessage(duration_ms)
        await advanced
      })
  }
}
