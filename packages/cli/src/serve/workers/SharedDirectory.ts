/** The current directory, in memory that all threads share. */
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** A directory as threads hand it to each other. */
export interface DirectoryImage {
  /** A snapshot. */
  readonly image: SharedArrayBuffer
  /** The edition that it is of the database's directory; undefined if it comes from files. */
  readonly edition: number | undefined
  /** Since when it is in force, ISO 8601, UTC; undefined if that is not known. */
  readonly since: string | undefined
}

/** The current directory, and those that come after it. */
export interface SharedDirectory {
  /** The one in force. */
  readonly current: () => DirectoryImage
  /** Tells of each one that comes to be in force; answers how to end that. */
  readonly follow: (told: (changed: DirectoryImage) => void) => () => void
  /** What files say of units, which the main thread alone holds; undefined where the database says it. */
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
