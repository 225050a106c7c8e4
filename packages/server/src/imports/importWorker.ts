/** The worker thread of `importInWorker`: runs one import and ends. */
import { workerData } from "node:worker_threads"
import { type ImportRun, runImport } from "./runImport.ts"

await runImport(workerData as ImportRun)
