/** The sums of the locations of each district's active units: from them come the centres that suggestions show. */
import { type Arrays, ownArrays } from "../Arrays.ts"
import { isNullIsland_e7 } from "../space/Coordinate.ts"
import type { RowPoints } from "../space/SpatialIndex.ts"
import { firstIdIn } from "./AreaUnits.ts"
import { hasBit } from "./BitSet.ts"
import type { UnitRows } from "./CodeOrder.ts"
import { type SegmentTree, treeSize } from "./SegmentTree.ts"

/**
 * By the districts of the tree, in 1e-7 degrees. Exact: a sum is below 2^53. Units at latitude 0 and longitude 0 have no
 * known location, and do not count.
 */
export interface DistrictSums {
  /** How many units are added up. */
  readonly located: Uint32Array
  readonly lats_e7: Float64Array
  readonly lons_e7: Float64Array
}

/** Sums up the active units of each district. */
export const sumDistricts = (
  tree: SegmentTree,
  { rowOf }: UnitRows,
  { lats_e7, lons_e7 }: RowPoints,
  activeBits: Uint8Array,
  arrays: Arrays = ownArrays
): DistrictSums => {
  const { starts, values } = tree.levels[2]
  const sums = {
    located: arrays.uint32s(values.length),
    lats_e7: arrays.float64s(values.length),
    lons_e7: arrays.float64s(values.length)
  }
  for (let district = 0, id = 0; district < values.length; district++) {
    const next = starts[district + 1] as number
    const end = next < tree.areas.values.length ? firstIdIn(tree.areas.units, next) : treeSize(tree)
    let located = 0
    let lat_e7 = 0
    let lon_e7 = 0
    for (; id < end; id++) {
      if (!hasBit(activeBits, id)) continue
      const row = rowOf(id)
      if (isNullIsland_e7(lats_e7[row] as number, lons_e7[row] as number)) continue
      located++
      lat_e7 += lats_e7[row] as number
      lon_e7 += lons_e7[row] as number
    }
    sums.located[district] = located
    sums.lats_e7[district] = lat_e7
    sums.lons_e7[district] = lon_e7
  }
  return sums
}
