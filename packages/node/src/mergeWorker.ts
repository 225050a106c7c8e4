/** The worker thread of `mergeInWorker`: runs one task and ends. */
import { parentPort, workerData } from "node:worker_threads"
import { type MergeTask, runMergeTask } from "@postcode/core/MergeLayers"

parentPort?.postMessage(runMergeTask(workerData as MergeTask))
