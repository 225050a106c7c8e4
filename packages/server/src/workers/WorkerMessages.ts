/** The messages between the main thread and a worker. */
import type { MessagePort } from "node:worker_threads"
import type { DirectoryUpdate, OpenedDirectory } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../GatewayServer.ts"
import type { DatabaseSettings } from "../store/DatabaseStore.ts"

/** The start-up data of a worker. */
export interface WorkerStart {
  readonly address: ServiceAddress
  readonly settings: GatewaySettings
  /** Its name: `worker 1`. */
  readonly name: string
  /** The port at which it answers each message with its metrics; undefined if they are not read. */
  readonly metrics: MessagePort | undefined
  /** The current directory. */
  readonly directory: OpenedDirectory
  /** The database with all other data. */
  readonly database: DatabaseSettings
}

/** From a worker: its bound address, the reason it cannot listen, or a query for units' attributes. */
export type WorkerMessage =
  | ({ readonly _tag: "Listening" } & ListeningService)
  | { readonly _tag: "ListenFailed"; readonly message: string }
  | { readonly _tag: "UnitsWanted"; readonly query: number; readonly postcodes: ReadonlyArray<Postcode> }

/** From the main thread: an update of the directory, the result of a query, or the order to stop. */
export type MainMessage =
  | DirectoryUpdate
  | { readonly _tag: "UnitsFound"; readonly query: number; readonly attributes: ReadonlyArray<UnitAttributes> }
  | { readonly _tag: "Stop" }
