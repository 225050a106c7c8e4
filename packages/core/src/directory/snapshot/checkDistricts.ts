/** Checks that the sums of a snapshot's districts give centres on the earth. Whether they are those of its units is not checked. */
import type { DistrictSums } from "../codes/DistrictSums.ts"
import type { SegmentTree } from "../codes/SegmentTree.ts"
import { e7PerDegree } from "../space/Coordinate.ts"
import { checkLength } from "./checkLength.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/** @throws InvalidSnapshot */
export const checkDistricts = ({ lats_e7, located, lons_e7 }: DistrictSums, { levels }: SegmentTree): void => {
  const { active } = levels[2]
  checkLength("districts.located", located.length, active.length)
  const above = located.findIndex((count, at) => count > (active[at] as number))
  if (above >= 0) {
    throw new InvalidSnapshot(`section districts.located: element ${above} is above the ${active[above]} active units`)
  }
  checkSums("lats_e7", lats_e7, located, 90)
  checkSums("lons_e7", lons_e7, located, 180)
}

const checkSums = (section: string, sums: Float64Array, located: Uint32Array, degrees: number): void => {
  checkLength(`districts.${section}`, sums.length, located.length)
  for (let at = 0; at < sums.length; at++) {
    const sum = sums[at] as number
    if (!(Number.isInteger(sum) && Math.abs(sum) <= degrees * e7PerDegree * (located[at] as number))) {
      throw new InvalidSnapshot(`section districts.${section}: element ${at} is no sum of ${located[at]} locations`)
    }
  }
}
