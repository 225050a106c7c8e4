/** The messages between the primary process and a worker. */
import type { MetricSnapshot } from "@postcode/http"
import type { GatewaySettings, ListeningService, ServiceAddress } from "../GatewayServer.ts"
import type { StoreDescription } from "../store/OpenedStore.ts"

/** The start-up data of a worker. */
export interface WorkerStart {
  /** Its name: `worker 1`. */
  readonly name: string
  readonly address: ServiceAddress
  readonly settings: GatewaySettings
  /** The database. Never shown, since it may contain a password. */
  readonly url: string
  /** The maximum of its pool. */
  readonly connections: number
  /** A folder or a snapshot to serve instead of the database's directory. */
  readonly directory: string | undefined
  /** The data folder of an embedded database. */
  readonly data: string | undefined
  /** Whether its metrics are read. */
  readonly isMeasured: boolean
}

/** From the primary process. */
export type PrimaryMessage =
  | { readonly _tag: "Start"; readonly start: WorkerStart }
  | { readonly _tag: "ReadMetrics" }
  | { readonly _tag: "Stop" }

/** From a worker. */
export type WorkerMessage =
  | { readonly _tag: "Listening"; readonly listening: ListeningService; readonly store: StoreDescription }
  | { readonly _tag: "Metrics"; readonly snapshots: ReadonlyArray<MetricSnapshot> }
  /** Why it ends. A cause has the stack of an error that no one expected. */
  | { readonly _tag: "Failed"; readonly message: string; readonly cause?: string | undefined }
