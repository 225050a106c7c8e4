/** What a worker asks where there is a database: that, over connections of its own. */
import type { Directory } from "@postcode/core/Directory"
import { CurrentEdition, layerUnits } from "@postcode/postgres"
import { Layer } from "effect"
import { type DatabaseSettings, layerDatabaseStore } from "../serve/DatabaseStore.ts"
import { layerSettings } from "../serve/GatewayServer.ts"
import { layerRemoteStore } from "./RemoteStore.ts"
import type { DirectoryImage } from "./SharedDirectory.ts"
import type { StorePorts } from "./StoreCalls.ts"
import type { WorkerStart } from "./WorkerMessages.ts"

/** The directory in force, opened in this thread. */
export interface OpenedImage extends DirectoryImage {
  readonly directory: Directory
}

/** If the directory comes from the database, so does what is known of its units; else the main thread knows it. */
export const layerDatabasePorts = (
  database: DatabaseSettings,
  { directory, settings, store }: WorkerStart,
  inForce: () => OpenedImage
): Layer.Layer<StorePorts, { readonly message: string }> => {
  const own = Layer.provide(layerDatabaseStore(database), layerSettings(settings))
  const { edition } = directory
  if (edition === undefined) return Layer.merge(layerRemoteStore(store), own)
  const current = Layer.succeed(CurrentEdition, {
    get: () => ({ ...inForce(), edition: inForce().edition ?? edition })
  })
  return Layer.provideMerge(layerUnits, Layer.merge(own, current))
}
