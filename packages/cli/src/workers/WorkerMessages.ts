/** What the main thread and a worker say to each other, beside the calls of the store. */
import type { MessagePort } from "node:worker_threads"
import type { DatabaseSettings } from "../serve/DatabaseStore.ts"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../serve/GatewayServer.ts"
import type { DirectoryImage } from "./SharedDirectory.ts"

/** What a worker is started with. */
export interface WorkerStart {
  readonly address: ServiceAddress
  readonly settings: GatewaySettings
  /** What it counts in, in memory that the main thread reads; undefined if nobody does. */
  readonly numbers: Float64Array<SharedArrayBuffer> | undefined
  /** The directory in force. */
  readonly directory: DirectoryImage
  /** Where the store of the main thread answers. */
  readonly store: MessagePort
  /** The database that a worker asks by itself, in place of the main thread; undefined if there is none. */
  readonly database: DatabaseSettings | undefined
}

/** What a worker says: where it listens, or why it cannot. */
export type WorkerMessage =
  | ({ readonly _tag: "Listening" } & ListeningService)
  | { readonly _tag: "ListenFailed"; readonly message: string }

/** What the main thread says: that another directory is in force from now on, or that it is time to stop. */
export type MainMessage =
  | { readonly _tag: "DirectoryChanged"; readonly directory: DirectoryImage }
  | { readonly _tag: "Stop" }
