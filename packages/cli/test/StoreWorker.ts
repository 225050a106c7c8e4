/** The thread of a `StoreThread`: a store in memory that answers at a port, and moves its clock when told to. */
import { parentPort, workerData } from "node:worker_threads"
import { Units } from "@postcode/core/directory/Units"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { MemoryStore } from "@postcode/memory"
import { Effect, Layer, ManagedRuntime } from "effect"
import { TestClock } from "effect/testing"
import { makeStoreServer } from "../src/workers/StoreServer.ts"
import type { StoreThreadData } from "./StoreThread.ts"

const { port, stillClock, units } = workerData as StoreThreadData
const known = new Map<Postcode, UnitAttributes>(units)
const store = Layer.mergeAll(
  MemoryStore.layer,
  Layer.succeed(Units, { attributes: (codes) => Effect.sync(() => codes.map((code) => known.get(code) ?? {})) })
)
const runtime = ManagedRuntime.make(stillClock ? Layer.provideMerge(store, TestClock.layer()) : store)
const serve = await runtime.runPromise(makeStoreServer)
const closed = serve(port)
parentPort?.on("message", async (advance_ms: number) => {
  await runtime.runPromise(TestClock.adjust(advance_ms))
  parentPort?.postMessage("advanced")
})
await closed
parentPort?.close()
