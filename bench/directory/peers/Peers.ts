/** The peers' names in figures, and their indexes. */
import type { Directory } from "@postcode/core/Directory"
import KDBush from "kdbush"
import bench from "../../package.json" with { type: "json" }

const { dependencies } = bench

export const peerNames = {
  around: `geokdbush ${dependencies.geokdbush} around`,
  within: `kdbush ${dependencies.kdbush} within, then distance`,
  kdbush: `kdbush ${dependencies.kdbush}`,
  geographiclib: `geographiclib-geodesic ${dependencies["geographiclib-geodesic"]}`
} as const

/** Longitude and latitude of the active units, alternating, in degrees and in the order of postcodes. */
export const positionsOf = (directory: Directory): Float64Array => {
  const positions = new Float64Array(2 * directory.activeSize)
  let next = 0
  for (let id = 0; id < directory.size; id++) {
    if (!directory.isActive(id)) continue
    const { lat, lon } = directory.coordinateAt(id)
    positions[next++] = lon
    positions[next++] = lat
  }
  return positions
}

/** The active units in kdbush's default format: doubles, and 64 points per leaf. */
export const kdbushOf = (positions: Float64Array): KDBush => {
  const index = new KDBush(positions.length / 2)
  for (let at = 0; at < positions.length; at += 2) index.add(positions[at] as number, positions[at + 1] as number)
  return index.finish()
}
