/** The worker thread of `runInWorker`: runs one task and ends. */
import { parentPort, workerData } from "node:worker_threads"
import { type AddressTask, indexChangedAddresses, type MergeTask, runMergeTask } from "@postcode/core/LiveDirectory"
import { shareDirectory } from "./SnapshotFile.ts"

/** What the thread can do. */
export type WorkerTask =
  | { readonly _tag: "Merge"; readonly task: MergeTask }
  | { readonly _tag: "IndexAddresses"; readonly task: AddressTask }

const run = (work: WorkerTask): unknown =>
  work._tag === "Merge" ? runMergeTask(work.task) : shareDirectory(indexChangedAddresses(work.task))

parentPort?.postMessage(run(workerData as WorkerTask))
