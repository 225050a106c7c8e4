/** All ports of a replica, with secrets for tests. */
import { type DatabaseOptions, PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { checkedPorts } from "./distribution/checkedPorts.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { layerTestSecrets } from "./TestSecrets.ts"

/** On an existing database. */
export const storeOn = (url: string, options: Omit<DatabaseOptions, "url"> = {}) =>
  Layer.provideMerge(checkedPorts(PostgresStore.layer({ ...options, url: Redacted.make(url) })), layerTestSecrets)

/** On a new database with the schema. */
export const layerStore = Layer.unwrap(Effect.map(migratedDatabase, (url) => storeOn(url)))
