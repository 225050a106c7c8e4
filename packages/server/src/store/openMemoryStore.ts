/** An in-memory store that ends with the process. */
import { MemoryStore } from "@postcode/memory"
import { Effect, Layer, type Scope } from "effect"
import type { CommandFailure } from "../process/ExitCode.ts"
import { openFileDirectory } from "./FileDirectory.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/**
 * Opens it, empty except for the directory.
 *
 * @param path a folder or a snapshot; undefined for the demonstration
 */
export const openMemoryStore = (path: string | undefined): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { layer, ...directory } = yield* openFileDirectory(path, undefined)
    return {
      ...directory,
      ports: yield* Layer.build(Layer.merge(MemoryStore.layer, layer)),
      storage: "in memory: all changes are lost when this process ends; --data DIR keeps them"
    }
  })
