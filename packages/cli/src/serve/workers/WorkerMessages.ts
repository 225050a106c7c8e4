/** The messages between the main thread and a worker. */
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../GatewayServer.ts"
import type { DatabaseSettings } from "../store/DatabaseStore.ts"
import type { DirectoryImage } from "./SharedDirectory.ts"

/** What a worker is started with. */
export interface WorkerStart {
  readonly address: ServiceAddress
  readonly settings: GatewaySettings
  /** What it counts in, in memory that the main thread reads; undefined if nobody does. */
  readonly numbers: Float64Array<SharedArrayBuffer> | undefined
  /** The directory in force. */
  readonly directory: DirectoryImage
  /** The database that holds everything else. */
  readonly database: DatabaseSettings
}

/** From a worker: where it listens, why it cannot, or a query for what files say of units. */
export type WorkerMessage =
  | ({ readonly _tag: "Listening" } & ListeningService)
  | { readonly _tag: "ListenFailed"; readonly message: string }
  | { readonly _tag: "UnitsWanted"; readonly query: number; readonly postcodes: ReadonlyArray<Postcode> }

/** From the main thread: another directory from now on, what is known of the units of a query, or the end. */
export type MainMessage =
  | { readonly _tag: "DirectoryChanged"; readonly directory: DirectoryImage }
  | { readonly _tag: "UnitsFound"; readonly query: number; readonly attributes: ReadonlyArray<UnitAttributes> }
  | { readonly _tag: "Stop" }
