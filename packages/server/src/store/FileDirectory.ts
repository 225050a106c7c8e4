/** A directory from files, or the demonstration. */
import { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { layerDirectory, layerFixedDirectory } from "@postcode/gateway/directory/layerDirectory"
import type { DirectoryPorts } from "@postcode/gateway/Store"
import { indexAddressesInWorker, mergeInWorker, shareDirectory } from "@postcode/node"
import { Effect, type Layer } from "effect"
import { type OpenedDirectory, openDirectory } from "../directory/openDirectory.ts"
import type { CommandFailure } from "../process/ExitCode.ts"
import { fixedDirectory, type SharedDirectory } from "../workers/SharedDirectory.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/** A loaded directory. */
export interface FileDirectory extends Pick<OpenedStore, "demonstration" | "directory" | "hasAttributes" | "source"> {
  readonly layer: Layer.Layer<DirectoryPorts>
  /** The memory shared with other threads; undefined if there are none. */
  readonly shared: SharedDirectory | undefined
}

/**
 * @param path a folder or a snapshot; undefined for the demonstration
 * @param workers the number of threads; if more than one, they share one copy of the directory
 * @param fixed why the directory cannot be changed; undefined if it can, which needs a single thread
 */
export const openFileDirectory = (
  path: string | undefined,
  workers: number,
  fixed: string | undefined
): Effect.Effect<FileDirectory, CommandFailure> =>
  Effect.map(openDirectory({ directory: path, data: undefined, quiet_ms: 0, addresses: true }), (opened) => {
    const { attributesOf } = opened
    const image = workers === 1 ? undefined : (opened.image ?? shareDirectory(opened.directory))
    const directory = image === undefined ? opened.directory : Directory.open(image, { verify: false })
    return {
      layer:
        fixed === undefined
          ? layerDirectory(directory, attributesOf, { merge: mergeInWorker, indexAddresses: indexAddressesInWorker })
          : layerFixedDirectory(directory, attributesOf, fixed),
      directory,
      source: path ?? "the demonstration: real states and LGAs of Nigeria, invented units",
      hasAttributes: opened.image === undefined,
      demonstration: path === undefined ? attributesOf : undefined,
      shared: image && fixedDirectory(directory, (postcodes) => postcodes.map(attributesAt(directory, attributesOf)))
    }
  })

const attributesAt =
  (directory: Directory, attributesOf: OpenedDirectory["attributesOf"]) =>
  (postcode: Postcode): UnitAttributes => {
    const id = directory.find(postcode)
    return id < 0 ? {} : attributesOf(id, postcode)
  }
