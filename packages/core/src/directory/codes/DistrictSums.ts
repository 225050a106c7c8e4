/** The sums of the locations of each district's active units: from them come the centres that suggestions show. */
import { type Arrays, ownArrays } from "../Arrays.ts"
import { firstIdIn } from "./AreaUnits.ts"
import { hasBit } from "./BitSet.ts"
import { type SegmentTree, treeSize } from "./SegmentTree.ts"

/** By the districts of the tree, in 1e-7 degrees. Exact: a sum is below 2^53. */
export interface DistrictSums {
  readonly lats_e7: Float64Array
  readonly lons_e7: Float64Array
}

/**
 * Sums up the active units of each district.
 *
 * @param rowOfUnit the row of each unit in the coordinates, by id
 */
export const sumDistricts = (
  tree: SegmentTree,
  activeBits: Uint8Array,
  rowOfUnit: Uint32Array,
  lats_e7: Int32Array,
  lons_e7: Int32Array,
  arrays: Arrays = ownArrays
): DistrictSums => {
  const { starts, values } = tree.levels[2]
  const sums = { lats_e7: arrays.float64s(values.length), lons_e7: arrays.float64s(values.length) }
  for (let district = 0, id = 0; district < values.length; district++) {
    const next = starts[district + 1] as number
    const end = next < tree.areas.values.length ? firstIdIn(tree.areas.units, next) : treeSize(tree)
    let lat_e7 = 0
    let lon_e7 = 0
    for (; id < end; id++) {
      if (!hasBit(activeBits, id)) continue
      const row = rowOfUnit[id] as number
      lat_e7 += lats_e7[row] as number
      lon_e7 += lons_e7[row] as number
    }
    sums.lats_e7[district] = lat_e7
    sums.lons_e7[district] = lon_e7
  }
  return sums
}
