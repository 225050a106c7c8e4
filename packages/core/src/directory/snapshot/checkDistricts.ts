/** Checks that the sums of a snapshot's districts give centres on the earth. Whether they are those of its units is not checked. */
import type { DistrictSums } from "../codes/DistrictSums.ts"
import type { SegmentTree } from "../codes/SegmentTree.ts"
import { e7PerDegree } from "../space/Coordinate.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/** @throws InvalidSnapshot */
export const checkDistricts = ({ lats_e7, lons_e7 }: DistrictSums, { levels }: SegmentTree): void => {
  checkSums("lats_e7", lats_e7, levels[2].active, 90)
  checkSums("lons_e7", lons_e7, levels[2].active, 180)
}

const checkSums = (section: string, sums: Float64Array, active: Uint32Array, degrees: number): void => {
  if (sums.length !== active.length) {
    throw new InvalidSnapshot(`section districts.${section}: expected ${active.length} elements, found ${sums.length}`)
  }
  for (let at = 0; at < sums.length; at++) {
    const sum = sums[at] as number
    if (!(Number.isInteger(sum) && Math.abs(sum) <= degrees * e7PerDegree * (active[at] as number))) {
      throw new InvalidSnapshot(`section districts.${section}: element ${at} is no sum of ${active[at]} locations`)
    }
  }
}
