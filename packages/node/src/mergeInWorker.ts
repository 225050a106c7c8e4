/** Merges the changes of a live directory into its edition in a worker thread, so that searches continue meanwhile. */
import type { Directory, DirectoryContents } from "@postcode/core/Directory"
import { mergeTaskOf, withTextsOf } from "@postcode/core/LiveDirectory"
import { type InWorkerOptions, runInWorker } from "./runInWorker.ts"

/**
 * The contents of a directory without layers of changes, built in a worker thread that ends afterwards. Arrays in
 * shared memory are not copied to the thread, others are. The result is in shared memory.
 *
 * A program that is bundled into one file needs `@postcode/node/src/directoryWorker.ts` as a second entry, which has to
 * lie beside the first one, or its chunks, as `directoryWorker.js`.
 *
 * ```ts
 * const live = new LiveDirectory(directory, { merge: (changed) => mergeInWorker(changed) })
 * ```
 *
 * Rejects with what the thread failed with, and if it ends before it is done.
 */
export const mergeInWorker = async (
  directory: Directory,
  options: InWorkerOptions = {}
): Promise<DirectoryContents> => {
  const merged = await runInWorker({ _tag: "Merge", task: mergeTaskOf(directory) }, options)
  return withTextsOf(merged as DirectoryContents, directory)
}
