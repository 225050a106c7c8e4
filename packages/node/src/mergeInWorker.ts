/** Merges the changes of a live directory into its edition in a worker thread, so that searches continue meanwhile. */
import { Worker } from "node:worker_threads"
import type { Directory, DirectoryContents } from "@postcode/core/Directory"
import { mergeTaskOf } from "@postcode/core/MergeLayers"

/** Options of a merge. */
export interface MergeInWorkerOptions {
  /** Aborts the merge: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * The contents of a directory without layers of changes, built in a worker thread that ends afterwards. Arrays in
 * shared memory are not copied to the thread, others are. The result is in shared memory.
 *
 * A program that is bundled into one file needs `@postcode/node/src/mergeWorker.ts` as a second entry, which has to lie
 * beside the first one, or its chunks, as `mergeWorker.js`.
 *
 * ```ts
 * const live = new LiveDirectory(directory, { merge: (changed) => mergeInWorker(changed) })
 * ```
 *
 * Rejects with what the thread failed with, and if it ends before it is done.
 */
export const mergeInWorker = async (
  directory: Directory,
  { signal }: MergeInWorkerOptions = {}
): Promise<DirectoryContents> => {
  signal?.throwIfAborted()
  const worker = new Worker(entry, { name: "merge", workerData: mergeTaskOf(directory), ...fromSources })
  const abort = () => void worker.terminate()
  signal?.addEventListener("abort", abort)
  try {
    const merged = await resultOf(worker)
    return { ...merged, places: directory.places }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener("abort", abort)
  }
}

const isSource = import.meta.url.endsWith(".ts")
/** The worker's module is in the folder of this one, built or not. */
const entry = new URL(isSource ? "./mergeWorker.ts" : "./mergeWorker.js", import.meta.url)
/** Sources need this condition. The process may have set it by other means than a flag that threads inherit. */
const fromSources = isSource ? { execArgv: ["--conditions=@postcode/source"] } : {}

/** The only message of a worker, after the thread has ended. */
const resultOf = (worker: Worker): Promise<DirectoryContents> =>
  new Promise((resolve, reject) => {
    let merged: DirectoryContents | undefined
    worker.on("message", (message: DirectoryContents) => {
      merged = message
    })
    worker.on("error", reject)
    worker.on("messageerror", reject)
    worker.on("exit", (code) => {
      if (merged !== undefined) resolve(merged)
      else reject(new Error(`the worker thread of the merge ended with code ${code} before it was done`))
    })
  })
