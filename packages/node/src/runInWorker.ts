/** Runs one task in a worker thread that ends afterwards. */
import { Worker } from "node:worker_threads"
import type { WorkerTask } from "./directoryWorker.ts"

/** Options of a task. */
export interface InWorkerOptions {
  /** Aborts the task: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Rejects with what the thread failed with, and if it ends before it is done. */
export const runInWorker = async (task: WorkerTask, { signal }: InWorkerOptions): Promise<unknown> => {
  signal?.throwIfAborted()
  const worker = new Worker(entry, { name: task._tag, workerData: task, ...fromSources })
  const abort = () => void worker.terminate()
  signal?.addEventListener("abort", abort)
  try {
    return await resultOf(worker)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener("abort", abort)
  }
}

const isSource = import.meta.url.endsWith(".ts")
/** The worker's module is in the folder of this one, built or not. */
const entry = new URL(isSource ? "./directoryWorker.ts" : "./directoryWorker.js", import.meta.url)
/** Sources need this condition. The process may have set it by other means than a flag that threads inherit. */
const fromSources = isSource ? { execArgv: ["--conditions=@postcode/source"] } : {}

/** The only message of a worker, after the thread has ended. */
const resultOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve, reject) => {
    let result: { readonly value: unknown } | undefined
    worker.on("message", (value: unknown) => {
      result = { value }
    })
    worker.on("error", reject)
    worker.on("messageerror", reject)
    worker.on("exit", (code) => {
      if (result !== undefined) resolve(result.value)
      else reject(new Error(`the worker thread ended with code ${code} before it was done`))
    })
  })
