/** What the main thread and a worker say to each other, beside the calls of the store. */
import type { MessagePort } from "node:worker_threads"
import type { GatewaySettings } from "../serve/GatewayServer.ts"

/** What a worker is started with. */
export interface WorkerStart {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly settings: GatewaySettings
  /** A snapshot of the directory, in memory that all threads share. */
  readonly image: SharedArrayBuffer
  /** Where the store answers. */
  readonly store: MessagePort
}

/** What a worker says: where it listens, or why it cannot. */
export type WorkerMessage =
  | { readonly _tag: "Listening"; readonly url: string; readonly port: number }
  | { readonly _tag: "ListenFailed"; readonly message: string }

/** The one thing that the main thread says. */
export const stop = "stop"
