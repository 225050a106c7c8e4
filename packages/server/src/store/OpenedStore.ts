/** The service's store, with the directory that it serves. */
import type { Directory } from "@postcode/core/Directory"
import type { DirectoryPorts, StorePorts } from "@postcode/gateway/Store"
import type { Context } from "effect"
import type { OpenedDirectory } from "../directory/openDirectory.ts"

/** What the first screen shows of a store. */
export interface StoreDescription {
  /** The current directory at the start. */
  readonly directory: Pick<Directory, "activeSize" | "changes" | "size" | "version">
  /** Its source, as text. */
  readonly source: string
  /** Whether the units have attributes besides code, status and location. */
  readonly hasAttributes: boolean
  /** The store, as text. */
  readonly storage: string
}

/** An open store. */
export interface OpenedStore extends StoreDescription {
  readonly ports: Context.Context<DirectoryPorts | StorePorts>
  readonly directory: Directory
  /** The attributes of the demonstration's units, if it is served. */
  readonly demonstration: OpenedDirectory["attributesOf"] | undefined
}
