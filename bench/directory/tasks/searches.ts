/** Nearest and nearby, compared with the library that offline geocoders use. */
import type { Coordinate } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { nearest, within } from "@postcode/core/ReverseGeocoder"
import { openSnapshotFile } from "@postcode/node"
import { around, distance } from "geokdbush"
import type KDBush from "kdbush"
import { compared, type Figure } from "../../Bench.ts"
import { medians, type Work } from "../../measure.ts"
import { awayFromUnits, betweenUnits, nearUnits, type Points } from "../Points.ts"
import { kdbushOf, peerNames, positionsOf } from "../peers/Peers.ts"

export interface SearchesParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  /** Points near units per round; expensive searches of a peer use fewer. */
  readonly points: number
  readonly rounds: number
}

export const searches = async (
  parameter: SearchesParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const { path, points, rounds } = parameter
  const { directory } = await openSnapshotFile(path)
  progress("searches: indexing the same points with kdbush")
  const positions = positionsOf(directory)
  const index = kdbushOf(positions)
  const near = nearUnits(directory, points, 1)
  const plan = { rounds, warm_up_rounds: 2 }
  const figures: Array<Figure> = []
  const time = (peer: string, count: number, figure: string, works: Pair): void => {
    progress(`searches: ${figure}, beside ${peer}`)
    const [value = 0, peer_value = 0] = medians(works, plan).map((ns) => ns / count)
    figures.push(compared("less", { bench: "directory", figure, value, unit: "ns", peer, peer_value }))
  }
  time(peerNames.around, points, "nearest within 25 m", nearestBesideAround(directory, index, near))
  time(peerNames.within, points, "nearest within 25 m", nearestBesideWithin(directory, index, positions, near))
  const fewer = Math.ceil(points / 10)
  const between = betweenUnits(directory, fewer, 2)
  const away = awayFromUnits(directory, fewer, 2)
  const nothing = "nearest within 25 m, nothing near"
  time(peerNames.around, fewer, `${nothing}, up to 1 km off`, nearestBesideAround(directory, index, between))
  time(peerNames.around, fewer, `${nothing}, anywhere`, nearestBesideAround(directory, index, away))
  time(peerNames.within, fewer, `${nothing}, anywhere`, nearestBesideWithin(directory, index, positions, away))
  const some = nearUnits(directory, Math.ceil(points / 20), 3)
  for (const limit of [10, 100]) {
    const works = withinBesideAround(directory, index, some, limit)
    time(peerNames.around, some.coordinates.length, `nearest ${limit} within 300 m`, works)
  }
  return figures
}

const nearestBesideAround = (directory: Directory, index: KDBush, points: Points): Pair => {
  const { coordinates, lats, lons } = points
  return agreeing(coordinates.length, [
    () => countNearest(directory, coordinates),
    () => {
      let found = 0
      for (let i = 0; i < lats.length; i++) {
        found += around(index, lons[i] as number, lats[i] as number, 1, 0.025).length
      }
      return found
    }
  ])
}

/** kdbush measures in degrees, equal in all directions, so the peer queries a circle that contains the real one. */
const nearestBesideWithin = (directory: Directory, index: KDBush, positions: Float64Array, points: Points): Pair => {
  const { coordinates, lats, lons } = points
  const candidates = new Uint32Array(10_000)
  return agreeing(coordinates.length, [
    () => countNearest(directory, coordinates),
    () => {
      let found = 0
      for (let i = 0; i < lats.length; i++) {
        const lat = lats[i] as number
        const lon = lons[i] as number
        const radius = 25 / (111_194 * Math.cos((lat * Math.PI) / 180))
        const count = index.withinInto(lon, lat, radius, candidates)
        let least_km = Number.POSITIVE_INFINITY
        for (let at = 0; at < count; at++) {
          const position = 2 * (candidates[at] as number)
          const km = distance(lon, lat, positions[position] as number, positions[position + 1] as number)
          if (km < least_km) least_km = km
        }
        if (least_km <= 0.025) found++
      }
      return found
    }
  ])
}

const withinBesideAround = (directory: Directory, index: KDBush, points: Points, limit: number): Pair => {
  const { coordinates, lats, lons } = points
  return agreeing(coordinates.length * limit, [
    () => {
      let found = 0
      for (const coordinate of coordinates) found += within(directory, coordinate, 300, limit).length
      return found
    },
    () => {
      let found = 0
      for (let i = 0; i < lats.length; i++) {
        found += around(index, lons[i] as number, lats[i] as number, limit, 0.3).length
      }
      return found
    }
  ])
}

type Pair = readonly [ours: Work, peers: Work]

const countNearest = (directory: Directory, coordinates: ReadonlyArray<Coordinate>): number => {
  let found = 0
  for (const coordinate of coordinates) {
    const hit = nearest(directory, coordinate, 25)
    if (hit !== undefined && hit.distance_m >= 0) found++
  }
  return found
}

/**
 * Our work and the peer's, if they find the same number of units. The peer measures on a sphere, so that one unit in
 * some hundred may be on the other side of the radius.
 */
const agreeing = (most: number, [ours, peers]: Pair): Pair => {
  const difference = Math.abs(ours() - peers())
  if (difference > Math.max(2, most / 100)) throw new Error(`the two searches differ in ${difference} of ${most} units`)
  return [ours, peers]
}
