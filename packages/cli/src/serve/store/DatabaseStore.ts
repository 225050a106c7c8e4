/** The store on PostgreSQL, as each thread of the service has it: on connections of its own. */
import { layerStoreHealth, PostgresStore } from "@postcode/postgres"
import { Layer, Redacted } from "effect"

/** Plain data, so that it can be sent to another thread. */
export interface DatabaseSettings {
  /** It may hold a password, so it is never shown. */
  readonly url: string
  /** How many connections of the pool one thread may have. */
  readonly connections: number
}

/** Every port but those of the directory, and whether the database is within reach. */
export const layerDatabaseStore = ({ connections, url }: DatabaseSettings) =>
  Layer.provideMerge(layerStoreHealth, PostgresStore.layer({ url: Redacted.make(url), maxConnections: connections }))
