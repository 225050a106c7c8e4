/** Runs an import in a thread, so that the service answers meanwhile, and a fault of the import does not end it. */
import { Worker } from "node:worker_threads"
import type { ImportRun } from "./runImport.ts"

/** Resolves after the thread has ended. Rejects with what it failed with. */
export const importInWorker = (run: ImportRun): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(entry, { name: "Import", workerData: run, ...fromSources })
    worker.on("error", reject)
    worker.on("exit", (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the thread of an import ended with code ${code}`))
    })
  })

const isSource = import.meta.url.endsWith(".ts")
/** The worker's module is in the folder of this one, built or not. */
const entry = new URL(isSource ? "./importWorker.ts" : "./importWorker.js", import.meta.url)
/** Sources need this condition. The process may have set it by other means than a flag that threads inherit. */
const fromSources = isSource ? { execArgv: ["--conditions=@postcode/source"] } : {}
