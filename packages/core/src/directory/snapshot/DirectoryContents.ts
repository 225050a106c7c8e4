import type { LocationSums } from "../codes/LocationSums.ts"
import type { SegmentTree } from "../codes/SegmentTree.ts"
import type { Successors } from "../codes/Successors.ts"
import type { Place } from "../places/Place.ts"
import type { SpatialIndex } from "../space/SpatialIndex.ts"
import type { AddressIndex } from "../text/AddressIndex.ts"

/** The content of a directory, as stored in a snapshot. */
export interface DirectoryContents {
  readonly version: string
  readonly date: string
  /** Number of changes applied to that edition; 0 for the published edition. */
  readonly changes: number
  /** In code order. */
  readonly places: ReadonlyArray<Place>
  readonly tree: SegmentTree
  readonly locationSums: LocationSums
  readonly successors: Successors
  readonly spatial: SpatialIndex
  /** Names, streets and localities of the units, if the directory was built with them. */
  readonly addresses?: AddressIndex | undefined
}
