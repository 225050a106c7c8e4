/** Directories on Node: snapshot files in memory that threads share, and the work for changes in worker threads. */
export { indexAddressesInWorker } from "./indexAddressesInWorker.ts"
export { mergeInWorker } from "./mergeInWorker.ts"
export type { InWorkerOptions } from "./runInWorker.ts"
export {
  type OpenedSnapshot,
  openSnapshotFile,
  readSnapshotFile,
  type SnapshotFileOptions,
  shareDirectory,
  writeSnapshotFile
} from "./SnapshotFile.ts"
