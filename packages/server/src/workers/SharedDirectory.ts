/** The current directory of all threads: editions are in memory that they share, and each applies the changes itself. */
import type { Directory } from "@postcode/core/Directory"
import type { DirectoryUpdate, OpenedDirectory } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** The current directory and its updates. */
export interface SharedDirectory {
  /** The current one. */
  readonly current: () => OpenedDirectory
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
    layers: { edition: contents, changed: [], changes, addresses: undefined },
    edition: undefined,
    since: undefined
  }),
  follow: () => () => {},
  attributes
})

/** Why the directory of a service with a database is not changed: other replicas would not know. */
export const directoryOfFiles =
  "this directory cannot be changed: it comes from files; import it into the database, and serve it from there"
