/** Whether a spatial index is safe to search, whatever its numbers say: every walk stays in its arrays, and ends. */
import { e7PerDegree } from "../../Coordinate.ts"
import { InvalidSnapshot } from "../../InvalidSnapshot.ts"
import type { SpatialIndex } from "../SpatialIndex.ts"
import { checkLastBits, checkLength } from "./checkTree.ts"
import type { SnapshotHeader } from "./Header.ts"

/** @throws InvalidSnapshot */
export const checkSpatial = (spatial: SpatialIndex, { units }: Pick<SnapshotHeader, "units">): void => {
  const { coords, ids, nodeSize, positions, splits, visible } = spatial
  if (!(Number.isInteger(nodeSize) && nodeSize >= 1 && nodeSize <= 65_535)) {
    throw new InvalidSnapshot("section spatial.nodeSize: expected an integer from 1 to 65535")
  }
  checkLength("spatial.ids", ids.length, units)
  checkLength("spatial.positions", positions.length, units)
  checkLength("spatial.coords", coords.length, 2 * units)
  checkLength("spatial.visible", visible.length, Math.ceil(units / 8))
  let inner = 1
  for (let points = units; points - 1 > nodeSize; points >>>= 1) inner *= 2
  checkLength("spatial.splits", splits.length, inner)
  checkBelow("spatial.ids", ids, units)
  checkBelow("spatial.positions", positions, units)
  checkCoords(coords)
  checkLastBits("spatial.visible", visible, units)
}

const checkBelow = (section: string, numbers: Uint32Array, below: number): void => {
  let most = 0
  for (let at = 0; at < numbers.length; at++) most = Math.max(most, numbers[at] as number)
  if (most >= below && numbers.length > 0)
    throw new InvalidSnapshot(`section ${section}: expected numbers below ${below}`)
}

const checkCoords = (coords: Int32Array): void => {
  let lon = 0
  let lat = 0
  for (let at = 0; at + 1 < coords.length; at += 2) {
    lon = Math.max(lon, Math.abs(coords[at] as number))
    lat = Math.max(lat, Math.abs(coords[at + 1] as number))
  }
  if (lon > 180 * e7PerDegree || lat > 90 * e7PerDegree) {
    throw new InvalidSnapshot("section spatial.coords: expected at most 180 and 90 degrees either way, in turn")
  }
}
