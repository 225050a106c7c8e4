/** The service's store, with the directory that it serves. */
import type { Directory } from "@postcode/core/Directory"
import type { DirectoryPorts, StorePorts } from "@postcode/gateway/Store"
import type { Context } from "effect"
import type { OpenedDirectory } from "../directory/openDirectory.ts"
import type { SharedDirectory } from "../workers/SharedDirectory.ts"
import type { DatabaseSettings } from "./DatabaseStore.ts"

/** An open store and its description. */
export interface OpenedStore {
  readonly ports: Context.Context<DirectoryPorts | StorePorts>
  /** The current directory at the start. */
  readonly directory: Directory
  /** Its source, as text. */
  readonly source: string
  /** Whether the units have attributes besides code, status and location. */
  readonly hasAttributes: boolean
  /** The store, as text. */
  readonly storage: string
  /** The attributes of the demonstration's units, if it is served. */
  readonly demonstration: OpenedDirectory["attributesOf"] | undefined
  /** For worker threads; undefined if there are none. */
  readonly forWorkers: ForWorkers | undefined
}

/** What each worker thread needs of the store. */
export interface ForWorkers {
  readonly directory: SharedDirectory
  readonly database: DatabaseSettings
}
