/** The PostgreSQL store of one thread, with its own connections. */
import { layerStoreHealth, PostgresStore } from "@postcode/postgres"
import { Layer, Redacted } from "effect"

/** Structured-cloneable, to be sent to a worker. */
export interface DatabaseSettings {
  /** Never shown, since it may contain a password. */
  readonly url: string
  /** Maximum connections of one thread. */
  readonly connections: number
}

/** All ports except the directory's, and the database's reachability. */
export const layerDatabaseStore = ({ connections, url }: DatabaseSettings) =>
  Layer.provideMerge(layerStoreHealth, PostgresStore.layer({ url: Redacted.make(url), maxConnections: connections }))
