/** The current directory in memory that all threads share. */
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** A directory as a message between threads. */
export interface DirectoryImage {
  /** A snapshot. */
  readonly image: SharedArrayBuffer
  /** Its edition in the database; undefined if it comes from files. */
  readonly edition: number | undefined
  /** When it became current, ISO 8601, UTC; undefined if unknown. */
  readonly since: string | undefined
}

/** The current directory and its successors. */
export interface SharedDirectory {
  /** The current one. */
  readonly current: () => DirectoryImage
  /** Subscribes to new directories; returns the unsubscribe function. */
  readonly follow: (onChange: (changed: DirectoryImage) => void) => () => void
  /** The attributes of units from files, which only the main thread holds; undefined if they are in the database. */
  readonly attributes: UnitsLookup | undefined
}

/** The attributes of units, in the order of the postcodes. */
export type UnitsLookup = (postcodes: ReadonlyArray<Postcode>) => ReadonlyArray<UnitAttributes>

/** A directory from files, which never changes. */
export const fixedDirectory = (image: SharedArrayBuffer, attributes: UnitsLookup): SharedDirectory => ({
  current: () => ({ image, edition: undefined, since: undefined }),
  follow: () => () => {},
  attributes
})

/** Why the directory of a service with a database is not changed: other replicas would not know. */
export const directoryOfFiles =
  "this directory cannot be changed: it comes from files; import it into the database, and serve it from there"
