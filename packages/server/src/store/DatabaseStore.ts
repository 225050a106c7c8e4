/** The PostgreSQL store of one process, with its own connections. */
import { layerStoreHealth, PostgresStore } from "@postcode/postgres"
import { Layer, type Redacted } from "effect"

export interface DatabaseSettings {
  readonly url: Redacted.Redacted
  /** Maximum connections of one process. */
  readonly connections: number
}

/** All ports except the directory's, and the database's reachability. */
export const layerDatabaseStore = ({ connections, url }: DatabaseSettings) =>
  Layer.provideMerge(layerStoreHealth, PostgresStore.layer({ url, maxConnections: connections }))
