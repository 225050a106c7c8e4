/**
 * The possible sites of districts in each local government area (LGA). Only one point of an LGA is known, so its ground
 * is defined as the locations that are nearest to that point, within 10 km, and not in the ocean. The ground is divided
 * into square sites, one for each possible district.
 */
import { child, fraction } from "./Hash.ts"
import { direction, localPlane, type Vector } from "./LocalPlane.ts"
import { type LgaKind, nigeriaStates } from "./NigeriaPlaces.ts"

/** The ground of an LGA, independent of the seed. */
export interface Settlement {
  /** `LA` */
  readonly state: string
  /** `11` */
  readonly lga: string
  readonly lat: number
  readonly lon: number
  readonly weight: number
  readonly urban: boolean
  /** Maximum distance of sites from the point. */
  readonly reach_m: number
  /** Points of nearby LGAs, as offsets from this one's. */
  readonly neighbours: ReadonlyArray<Vector>
}

const farthest_m = 10_000
const siteSides_m = { urban: 1000, rural: 1500 } as const
/** Within Nigeria's bounding box. */
const bounds = { south: 4.25, north: 13.9, west: 2.68, east: 14.65 } as const

/** The weights of LGAs in the distribution of units. */
const weights: Readonly<Record<LgaKind, number>> = { metropolis: 16, city: 8, town: 3, countryside: 1 }

let settled: ReadonlyMap<string, Settlement> | undefined

/** The 774 LGAs by their codes, such as `LA-11`, in code order. Computed at the first call, then kept. */
export const settlements = (): ReadonlyMap<string, Settlement> => {
  settled ??= settle()
  return settled
}

/** The side of the widest sites of a settlement, which leave the least ground unused. */
export const widestSite_m = ({ urban }: Pick<Settlement, "urban">): number =>
  urban ? siteSides_m.urban : siteSides_m.rural

/**
 * The centres of an LGA's sites of a given side, as offsets from its point, in the order of settlement: in a city
 * outwards from the centre, in the countryside the main town, then scattered villages. Never empty.
 */
export const sitesOf = (settlement: Settlement, hash: number, side_m: number): ReadonlyArray<Vector> => {
  const { reach_m, urban } = settlement
  const axis = siteAxis(hash)
  const steps = Math.floor(reach_m / side_m)
  const accept = siteFilter(settlement, side_m)
  const sites: Array<Vector & { readonly rank: number }> = []
  for (let row = -steps; row <= steps; row++) {
    for (let column = -steps; column <= steps; column++) {
      const distance = Math.sqrt(row * row + column * column)
      const east = (column * axis.east - row * axis.north) * side_m
      const north = (column * axis.north + row * axis.east) * side_m
      if (distance > 0 && (distance > steps || !accept(east, north))) continue
      const luck = fraction(child(hash, (row + 64) * 128 + column + 64))
      const rank = Math.floor(distance * (urban ? 0.8 + 0.4 * luck : 0.2 + 1.6 * luck) * 4096)
      sites.push({ east, north, rank })
    }
  }
  return sites.sort((a, b) => a.rank - b.rank)
}

/** The direction of the rows of sites of an LGA, given its hash. */
export const siteAxis = (hash: number): Vector => direction(2 * fraction(child(hash, 1)) - 1)

const siteFilter = (settlement: Settlement, side_m: number): ((east: number, north: number) => boolean) => {
  const { lat, lon, neighbours } = settlement
  const plane = localPlane(lat)
  const margin_m = side_m / 2
  const margin_lat = margin_m / plane.metres_a_degree_lat
  return (east, north) => {
    for (const other of neighbours) {
      const square = other.east * other.east + other.north * other.north
      // The distance to the perpendicular bisector between the two points.
      if ((square / 2 - (east * other.east + north * other.north)) / Math.sqrt(square) < margin_m) return false
    }
    const site_lat = lat + north / plane.metres_a_degree_lat
    const site_lon = lon + east / plane.metres_a_degree_lon
    if (site_lat > bounds.north || site_lon < bounds.west || site_lon > bounds.east) return false
    return site_lat - margin_lat > Math.max(bounds.south, shoreline(site_lon))
  }
}

const settle = (): ReadonlyMap<string, Settlement> => {
  const points = nigeriaStates().flatMap((state) =>
    state.lgas.map((lga) => {
      // The LGA of a capital is settled from the capital outwards.
      const { lat, lon } = lga.code === state.seat_lga ? state : lga
      const urban = lga.kind === "metropolis" || lga.kind === "city"
      return { state: state.code, lga: lga.code, lat, lon, weight: weights[lga.kind], urban }
    })
  )
  return new Map(
    points.map((point) => {
      const { nearest_m, neighbours } = neighboursOf(point, points)
      return [`${point.state}-${point.lga}`, { ...point, reach_m: Math.min(nearest_m, farthest_m), neighbours }]
    })
  )
}

interface Point {
  readonly lat: number
  readonly lon: number
}

const neighboursOf = (
  point: Point,
  points: ReadonlyArray<Point>
): { readonly nearest_m: number; readonly neighbours: ReadonlyArray<Vector> } => {
  const plane = localPlane(point.lat)
  const neighbours: Array<Vector> = []
  let nearest_m = Number.POSITIVE_INFINITY
  for (const other of points) {
    const east = (other.lon - point.lon) * plane.metres_a_degree_lon
    const north = (other.lat - point.lat) * plane.metres_a_degree_lat
    const distance_m = Math.sqrt(east * east + north * north)
    if (other === point) continue
    nearest_m = Math.min(nearest_m, distance_m)
    // Farther points cannot be nearest to any location within reach, including the margin.
    if (distance_m < 2 * farthest_m + siteSides_m.rural) neighbours.push({ east, north })
  }
  return { nearest_m, neighbours }
}

/** The latitude of the coast at a longitude, within 1 to 2 km: it only keeps houses out of the sea. */
const shoreline = (lon: number): number => {
  for (let i = 1; i < shore.length; i++) {
    const [west_lon, west_lat] = shore[i - 1] ?? [0, 0]
    const [east_lon, east_lat] = shore[i] ?? [0, 0]
    if (lon < east_lon) return west_lat + ((east_lat - west_lat) * (lon - west_lon)) / (east_lon - west_lon)
  }
  return bounds.south
}

/** Longitude and latitude from Seme in the west round the Niger delta to the Cross River. */
const shore: ReadonlyArray<readonly [number, number]> = [
  [2.6, 6.36],
  [3.4, 6.42],
  [3.95, 6.42],
  [4.4, 6.34],
  [4.78, 6.1],
  [5.0, 5.85],
  [5.17, 5.58],
  [5.35, 5.3],
  [5.5, 4.95],
  [5.6, 4.75],
  [5.8, 4.47],
  [6.05, 4.31],
  [6.9, 4.37],
  [7.15, 4.42],
  [7.55, 4.48],
  [8.0, 4.53],
  [8.3, 4.58],
  [8.65, 4.66]
]
