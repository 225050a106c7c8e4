import { layerNoImports } from "@postcode/gateway/directory/imports/layerNoImports"
import type { Store } from "@postcode/gateway/Store"
import { Layer, Redacted } from "effect"
import { layerDatabase } from "./connection/Database.ts"
import { mistakeInAddress } from "./connection/DatabaseUrl.ts"
import { prepareDatabase } from "./connection/prepareDatabase.ts"
import { layerStoreHealth } from "./connection/StoreHealth.ts"
import { layerCurrentDirectory } from "./directory/CurrentDirectory.ts"
import { layerDirectoryChanges } from "./directory/DirectoryChanges.ts"
import { layerUnits } from "./directory/Units.ts"
import { layerMaintenance } from "./maintenance/Maintenance.ts"
import * as PostgresStore from "./PostgresStore.ts"

/** The address of the database, and the number of connections. */
export interface PostgresStoreOptions {
  /** `postgresql://user:password@host:port/database`. */
  readonly url: string
  /** Maximum number of connections of this process; 10 by default, at least 2. */
  readonly maxConnections?: number | undefined
}

/**
 * The store of `createGateway` on PostgreSQL, shared by all processes on the same database. At the start it waits up to
 * 30 seconds for the database, and migrates the schema. It serves the directory that `postcode import` loaded, unless
 * the gateway has another `directory`.
 *
 * ```ts
 * const gateway = await createGateway({ operatorToken, identifierPepper, sessionKeys, store: postgresStore({ url }) })
 * ```
 */
export const postgresStore = (options: PostgresStoreOptions): Store => ({
  isShared: true,
  hasDirectory: true,
  faults: faultsOf(options),
  layer: (directory) => {
    const url = Redacted.make(options.url)
    const prepared = Layer.effectDiscard(prepareDatabase()).pipe(
      Layer.provide(layerDatabase({ url, maxConnections: 1 }))
    )
    const store = layerMaintenance().pipe(
      Layer.provideMerge(layerStoreHealth),
      Layer.provideMerge(PostgresStore.layer({ url, maxConnections: options.maxConnections ?? 10 }))
    )
    const own = Layer.mergeAll(layerUnits, layerDirectoryChanges, layerNoImports(importElsewhere)).pipe(
      Layer.provideMerge(layerCurrentDirectory),
      Layer.provideMerge(store)
    )
    return Layer.provide(directory === undefined ? own : Layer.merge(store, directory), prepared)
  }
})

/** An import takes a thread, which an application has to offer. */
const importElsewhere = "this service imports nothing through its interface: use postcode import"

const faultsOf = ({ maxConnections = 10, url }: PostgresStoreOptions): ReadonlyArray<string> => {
  const faults: Array<string> = []
  if (typeof url !== "string" || !/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    faults.push("url: expected an address such as postgresql://user:password@host:5432/postcode")
  } else {
    const expected = mistakeInAddress(url)
    if (expected !== undefined) faults.push(`url: expected ${expected}`)
  }
  if (!Number.isInteger(maxConnections) || maxConnections < 2) {
    faults.push("maxConnections: expected a whole number, 2 or more")
  }
  return faults
}
