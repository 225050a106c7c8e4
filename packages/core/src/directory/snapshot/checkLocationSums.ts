/** Checks that the sums of a snapshot's districts and areas give centres on the earth. Whether they are those of its units is not checked. */
import { activeIn } from "../codes/AreaUnits.ts"
import type { LevelSums, LocationSums } from "../codes/LocationSums.ts"
import type { SegmentTree } from "../codes/SegmentTree.ts"
import { e7PerDegree } from "../space/Coordinate.ts"
import { checkLength } from "./checkLength.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/** @throws InvalidSnapshot */
export const checkLocationSums = ({ areas, districts }: LocationSums, tree: SegmentTree): void => {
  const { active, values } = tree.levels[2]
  checkLevel("districts", districts, values.length, (at) => active[at] as number)
  checkLevel("areas", areas, tree.areas.values.length, (at) => activeIn(tree.areas.units, at))
}

const checkLevel = (
  level: string,
  { lats_e7, located, lons_e7 }: LevelSums,
  length: number,
  activeAt: (at: number) => number
): void => {
  checkLength(`${level}.located`, located.length, length)
  const above = located.findIndex((count, at) => count > activeAt(at))
  if (above >= 0) {
    throw new InvalidSnapshot(`section ${level}.located: element ${above} is above the ${activeAt(above)} active units`)
  }
  checkSums(`${level}.lats_e7`, lats_e7, located, 90)
  checkSums(`${level}.lons_e7`, lons_e7, located, 180)
}

const checkSums = (section: string, sums: Float64Array, located: Uint32Array, degrees: number): void => {
  checkLength(section, sums.length, located.length)
  for (let at = 0; at < sums.length; at++) {
    const sum = sums[at] as number
    if (!(Number.isInteger(sum) && Math.abs(sum) <= degrees * e7PerDegree * (located[at] as number))) {
      throw new InvalidSnapshot(`section ${section}: element ${at} is no sum of ${located[at]} locations`)
    }
  }
}
