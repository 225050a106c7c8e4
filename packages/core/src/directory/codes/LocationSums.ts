/** The sums of the locations of active units, for each district and area: from them come the centres that suggestions show. */
import { type Arrays, ownArrays } from "../Arrays.ts"
import { isNullIsland_e7 } from "../space/Coordinate.ts"
import type { RowPoints } from "../space/SpatialIndex.ts"
import { firstIdIn } from "./AreaUnits.ts"
import { hasBit } from "./BitSet.ts"
import type { UnitRows } from "./CodeOrder.ts"
import { type SegmentTree, treeSize } from "./SegmentTree.ts"

/**
 * By the districts or areas of the tree, in 1e-7 degrees. Exact: a sum is below 2^53. Units at latitude 0 and longitude 0
 * have no known location, and do not count.
 */
export interface LevelSums {
  /** How many units are added up. */
  readonly located: Uint32Array
  readonly lats_e7: Float64Array
  readonly lons_e7: Float64Array
}

export interface LocationSums {
  readonly districts: LevelSums
  readonly areas: LevelSums
}

/** Sums up the active units. */
export const sumLocations = (
  tree: SegmentTree,
  { rowOf }: UnitRows,
  points: RowPoints,
  activeBits: Uint8Array,
  arrays: Arrays = ownArrays
): LocationSums => {
  const count = tree.areas.values.length
  const areas = emptySums(count, arrays)
  for (let area = 0, id = 0; area < count; area++) {
    const end = area + 1 < count ? firstIdIn(tree.areas.units, area + 1) : treeSize(tree)
    for (; id < end; id++) {
      if (!hasBit(activeBits, id)) continue
      const row = rowOf(id)
      const lat_e7 = points.lats_e7[row] as number
      const lon_e7 = points.lons_e7[row] as number
      if (!isNullIsland_e7(lat_e7, lon_e7)) addTo(areas, area, 1, lat_e7, lon_e7)
    }
  }
  const { starts, values } = tree.levels[2]
  const districts = emptySums(values.length, arrays)
  for (let district = 0, area = 0; district < values.length; district++) {
    for (; area < (starts[district + 1] as number); area++) {
      const { lats_e7, located, lons_e7 } = areas
      addTo(districts, district, located[area] as number, lats_e7[area] as number, lons_e7[area] as number)
    }
  }
  return { districts, areas }
}

const emptySums = (length: number, arrays: Arrays): LevelSums => ({
  located: arrays.uint32s(length),
  lats_e7: arrays.float64s(length),
  lons_e7: arrays.float64s(length)
})

const addTo = ({ lats_e7, located, lons_e7 }: LevelSums, at: number, units: number, lat_e7: number, lon_e7: number) => {
  located[at] = (located[at] as number) + units
  lats_e7[at] = (lats_e7[at] as number) + lat_e7
  lons_e7[at] = (lons_e7[at] as number) + lon_e7
}
