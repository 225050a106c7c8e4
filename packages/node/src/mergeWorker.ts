/** Run in a worker thread by `mergeInWorker`: does the one task that it is given, and ends. */
import { parentPort, workerData } from "node:worker_threads"
import { type MergeTask, runMergeTask } from "@postcode/core/MergeLayers"

parentPort?.postMessage(runMergeTask(workerData as MergeTask))
