/** Directories on Node: snapshot files in memory that threads share, and merges in worker threads. */
export { type MergeInWorkerOptions, mergeInWorker } from "./mergeInWorker.ts"
export {
  type OpenedSnapshot,
  openSnapshotFile,
  readSnapshotFile,
  type SnapshotFileOptions,
  shareDirectory,
  writeSnapshotFile
} from "./SnapshotFile.ts"
