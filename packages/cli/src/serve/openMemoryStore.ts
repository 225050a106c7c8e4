/** A store that keeps everything in memory, and ends with the process. */
import { MemoryStore } from "@postcode/memory"
import { Effect, Layer, type Scope } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { openFileDirectory } from "./FileDirectory.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/** Which directory, and for how many threads. */
export interface MemoryStoreInput {
  /** A folder or a snapshot; undefined for the demonstration. */
  readonly directory: string | undefined
  readonly workers: number
}

/** Opens it, empty but for the directory. */
export const openMemoryStore = (input: MemoryStoreInput): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { layer, shared, ...directory } = yield* openFileDirectory(input.directory, input.workers)
    return {
      ...directory,
      ports: yield* Layer.build(Layer.merge(MemoryStore.layer, layer)),
      storage: "in memory: organizations, keys and credits are gone when this process ends",
      forWorkers: shared === undefined ? undefined : { directory: shared, database: undefined }
    }
  })
