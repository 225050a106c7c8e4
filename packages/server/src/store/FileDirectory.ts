/** A directory from files, or the demonstration. */
import { layerDirectory, layerFixedDirectory } from "@postcode/gateway/directory/layerDirectory"
import type { DirectoryPorts } from "@postcode/gateway/Store"
import { indexAddressesInWorker, mergeInWorker } from "@postcode/node"
import { Effect, type Layer } from "effect"
import { locateState } from "../directory/locateState.ts"
import { noAttributes, openDirectory } from "../directory/openDirectory.ts"
import type { CommandFailure } from "../process/ExitCode.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/** A loaded directory. */
export interface FileDirectory extends Pick<OpenedStore, "demonstration" | "directory" | "hasAttributes" | "source"> {
  readonly layer: Layer.Layer<DirectoryPorts>
}

/**
 * @param path a folder or a snapshot; undefined for the demonstration
 * @param fixed why the directory cannot be changed; undefined if it can
 */
export const openFileDirectory = (
  path: string | undefined,
  fixed: string | undefined
): Effect.Effect<FileDirectory, CommandFailure> =>
  Effect.map(
    openDirectory({ directory: path, data: undefined, quiet_ms: 0, addresses: true, checks: true }),
    ({ attributesOf, directory, warnings }) => ({
      layer:
        fixed === undefined
          ? layerDirectory(directory, attributesOf, {
              merge: mergeInWorker,
              indexAddresses: indexAddressesInWorker,
              locate: locateState,
              warnings
            })
          : layerFixedDirectory(directory, attributesOf, fixed, { warnings }),
      directory,
      source: path ?? "the demonstration: real states and LGAs of Nigeria, invented units",
      hasAttributes: attributesOf !== noAttributes,
      demonstration: path === undefined ? attributesOf : undefined
    })
  )
