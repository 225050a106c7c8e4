import type { Store } from "@postcode/gateway/Store"
import { Effect, Layer } from "effect"
import * as MemoryStore from "./MemoryStore.ts"

/**
 * The store of `createGateway` in memory. It is empty at the start, ends with the process, and needs a `directory`.
 *
 * ```ts
 * const gateway = await createGateway({ operatorToken, directory: demoDirectory(), store: memoryStore() })
 * ```
 */
export const memoryStore = (): Store => ({
  isShared: false,
  hasDirectory: false,
  faults: [],
  layer: (directory = missing) => Layer.merge(MemoryStore.layer, directory)
})

/** `createGateway` requires a directory for a store without one. */
const missing = Layer.effectContext(Effect.die(new Error("memoryStore: expected a directory")))
