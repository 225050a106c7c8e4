/** The current directory of all threads: editions are in memory that they share, and each applies the changes itself. */
import type { Directory, DirectoryContents } from "@postcode/core/Directory"
import { type DirectoryLayers, type UnitStates, unitStatesOf } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** A directory as a message between threads. */
export interface DirectoryMessage {
  /** Its edition is in shared memory. */
  readonly layers: DirectoryLayers
  /** The number of its edition in the database; undefined if it comes from files. */
  readonly edition: number | undefined
  /** When the edition became current, ISO 8601, UTC; undefined if unknown. */
  readonly since: string | undefined
}

/** What another thread does to have the current directory again. */
export type DirectoryUpdate =
  | {
      readonly _tag: "DirectoryOpened"
      readonly directory: DirectoryMessage
      /** Whether it is the current one, with changes merged into its edition. */
      readonly isMerged: boolean
    }
  /** Some units are in another state, and the number of changes is now this one. */
  | { readonly _tag: "UnitsChanged"; readonly states: UnitStates; readonly changes: number }
  /** The addresses of changed units were indexed. */
  | { readonly _tag: "AddressesIndexed"; readonly addresses: DirectoryContents }

/** The current directory and its updates. */
export interface SharedDirectory {
  /** The current one. */
  readonly current: () => DirectoryMessage
  /** Subscribes to updates; returns the unsubscribe function. */
  readonly follow: (onUpdate: (update: DirectoryUpdate) => void) => () => void
  /** The attributes of units from files, which only the main thread holds; undefined if they are in the database. */
  readonly attributes: UnitsLookup | undefined
}

/** The attributes of units, in the order of the postcodes. */
export type UnitsLookup = (postcodes: ReadonlyArray<Postcode>) => ReadonlyArray<UnitAttributes>

/** A directory from files, which never changes. Its memory has to be shared. */
export const fixedDirectory = ({ changes, contents }: Directory, attributes: UnitsLookup): SharedDirectory => ({
  current: () => ({
    layers: { edition: contents, states: noStates, changes, addresses: undefined },
    edition: undefined,
    since: undefined
  }),
  follow: () => () => {},
  attributes
})

const noStates = unitStatesOf([])

/** Why the directory of a service with a database is not changed: other replicas would not know. */
export const directoryOfFiles =
  "this directory cannot be changed: it comes from files; import it into the database, and serve it from there"
