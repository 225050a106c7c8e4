/**
 * Compares searches with the reference implementation: at full size, and around the poles and the antimeridian, where
 * the demonstration has no units, in a small directory.
 */
import { type Coordinate, e7PerDegree, toE7 } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { type Hit, nearest, roundDistance, within } from "@postcode/core/ReverseGeocoder"
import { openSnapshotFile } from "@postcode/node"
import { randomNumbers } from "../../../test/RandomNumbers.ts"
import { compared, type Figure } from "../../Bench.ts"
import { peerNames } from "../peers/Peers.ts"
import { type Measured, ReferenceSearch } from "../peers/ReferenceSearch.ts"

export interface ExactnessParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  /** The number of searches. One in ten is around the poles and the antimeridian. */
  readonly queries: number
}

export const exactness = async (
  { path, queries }: ExactnessParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const tally = { queries: 0, equal: 0, hits: 0, sameShown: 0, ties: 0 }
  const atEdges = Math.ceil(queries / 10)
  progress(`exactness: ${atEdges} searches at the poles and the antimeridian by brute force`)
  check(edgeDirectory(), atEdges, tally)
  const { directory } = await openSnapshotFile(path)
  progress(`exactness: ${queries - atEdges} searches among ${directory.size} units by brute force`)
  check(directory, queries - atEdges, tally)
  progress(`exactness: ${tally.ties} of the searches hang on units at one point`)
  const common = { bench: "directory", peer: `brute force, ${peerNames.geographiclib}` }
  return [
    compared("more", {
      ...common,
      figure: "searches that equal brute force",
      value: tally.equal,
      unit: "searches",
      peer_value: tally.queries
    }),
    compared("more", {
      ...common,
      figure: "distances that equal the geodesic to 0.1 m",
      value: tally.sameShown,
      unit: "distances",
      peer_value: tally.hits
    })
  ]
}

type Tally = Record<"queries" | "equal" | "hits" | "sameShown" | "ties", number>

interface Search {
  readonly center: Coordinate
  readonly radius_m: number
  readonly limit: number
}

/** The error of the searches' metric: closer distances may be in either order. */
const margin_m = 0.0002

const check = (directory: Directory, queries: number, tally: Tally): void => {
  const random = randomNumbers(12)
  const reference = new ReferenceSearch(directory)
  for (let query = 0; query < queries; query++) {
    const search = drawSearch(directory, random, query)
    const { center, limit, radius_m } = search
    const ranking = reference.within(center, radius_m, limit, margin_m)
    const hits = searched(directory, search)
    const distances = new Map(ranking.map(({ id, distance_m }) => [id, distance_m]))
    tally.queries++
    if (isEqual(reference, search, hits, ranking, distances)) tally.equal++
    if (ranking.some(({ id }, rank) => rank > 0 && isOnePoint(reference, id, ranking[rank - 1]?.id ?? id))) tally.ties++
    for (const { distance_m, id } of hits) {
      tally.hits++
      if (roundDistance(distance_m) === roundDistance(distances.get(id) ?? Number.NaN)) tally.sameShown++
    }
  }
}

const searched = (directory: Directory, { center, limit, radius_m }: Search): ReadonlyArray<Hit> => {
  if (limit > 1) return within(directory, center, radius_m, limit)
  const hit = nearest(directory, center, radius_m)
  return hit === undefined ? [] : [hit]
}

/** Mostly phone positions; alternating with a unit's exact point, wider radii, and the surroundings. */
const drawSearch = (directory: Directory, random: () => number, query: number): Search => {
  const unit = directory.coordinateAt(Math.floor(random() * directory.size))
  const near = (reach_m: number) => moved(unit, (2 * random() - 1) * reach_m, (2 * random() - 1) * reach_m)
  switch (query % 10) {
    case 0:
      return { center: unit, radius_m: 25 * random(), limit: 1 }
    case 1:
      return { center: unit, radius_m: 0, limit: 20 }
    case 2:
      return { center: near(250), radius_m: 250, limit: 1 }
    case 3:
      return { center: near(100), radius_m: 300, limit: 10 }
    case 4:
      return { center: near(100), radius_m: 300, limit: 100 }
    default:
      return { center: near(20), radius_m: 25, limit: 1 }
  }
}

/** Whether the hits equal the ranking, except for the order of distances within the error. */
const isEqual = (
  reference: ReferenceSearch,
  { limit, radius_m }: Search,
  hits: ReadonlyArray<Hit>,
  ranking: ReadonlyArray<Measured>,
  distances: ReadonlyMap<number, number>
): boolean => {
  const surely = ranking.filter(({ distance_m }) => distance_m <= radius_m - margin_m).length
  if (hits.length < Math.min(limit, surely) || hits.length > Math.min(limit, ranking.length)) return false
  const ranks = new Map(hits.map(({ id }, rank) => [id, rank]))
  if (ranks.size < hits.length) return false
  const areInPlace = hits.every(({ id, distance_m }, rank) => {
    const true_m = distances.get(id) ?? Number.NaN
    const expected_m = ranking[rank]?.distance_m ?? Number.NaN
    return Math.abs(distance_m - true_m) < margin_m && Math.abs(true_m - expected_m) < margin_m
  })
  // Of the units at one point, earlier postcodes come first.
  const areTiesInOrder = ranking.every(({ id }, at) => {
    const before = ranking[at - 1]
    if (before === undefined || !isOnePoint(reference, before.id, id)) return true
    const rank = ranks.get(id)
    const rankBefore = ranks.get(before.id)
    return rank === undefined || (rankBefore !== undefined && rankBefore < rank)
  })
  return areInPlace && areTiesInOrder
}

const isOnePoint = (reference: ReferenceSearch, a: number, b: number): boolean => {
  const from = reference.coordinateAt(a)
  const to = reference.coordinateAt(b)
  if (a === b || from.lat !== to.lat) return false
  return Math.abs(from.lat) === 90 || Math.abs(from.lon - to.lon) % 360 === 0
}

/** Towns at both poles and across the antimeridian: units 15 m apart, some stacked, some retired. */
const edgeDirectory = (): Directory => {
  const random = randomNumbers(180)
  const builder = new DirectoryBuilder()
  let code = 0
  for (const center of edges) {
    for (let unit = 0; unit < 1_500; unit++) {
      const { lat, lon } = moved(center, (2 * random() - 1) * 300, (2 * random() - 1) * 300)
      const storeys = random() < 0.1 ? 4 : 1
      for (let storey = 0; storey < storeys; storey++) {
        // The steps make the order of codes unrelated to the order of locations.
        builder.addPackedUnit((code * 7_919_993) % 1e9, toE7(lat), toE7(lon), random() < 0.9)
        code++
      }
    }
  }
  const built = builder.build()
  if (!built.ok) throw new Error("two units of the directory at the edges have one postcode")
  return built.directory
}

const edges: ReadonlyArray<Coordinate> = [
  { lat: 90, lon: 0 },
  { lat: -90, lon: 0 },
  { lat: 0, lon: 180 },
  { lat: -16.8, lon: -180 },
  { lat: 66.2, lon: 179.999 },
  { lat: -69.999, lon: 180 },
  { lat: 70.001, lon: -179.999 }
]

/** An approximate offset in metres north and east, also over a pole and across the antimeridian. */
const moved = ({ lat, lon }: Coordinate, north_m: number, east_m: number): Coordinate => {
  const degree_m = 111_000
  if (90 - Math.abs(lat) < 0.1) return movedAtPole({ lat, lon }, north_m / degree_m, east_m / degree_m)
  const east = lon + east_m / (degree_m * Math.cos((lat * Math.PI) / 180))
  return onGlobe(lat + north_m / degree_m, east > 180 ? east - 360 : east < -180 ? east + 360 : east)
}

/** On the tangent plane of the pole; by degrees along its two axes. */
const movedAtPole = ({ lat, lon }: Coordinate, along: number, across: number): Coordinate => {
  const angle = (lon * Math.PI) / 180
  const colatitude = 90 - Math.abs(lat)
  const x = colatitude * Math.cos(angle) + along
  const y = colatitude * Math.sin(angle) + across
  return onGlobe(Math.sign(lat) * (90 - Math.hypot(x, y)), (Math.atan2(y, x) * 180) / Math.PI)
}

const onGlobe = (lat: number, lon: number): Coordinate => ({ lat: snapped(lat), lon: snapped(lon) })

const snapped = (degrees: number): number => toE7(degrees) / e7PerDegree
