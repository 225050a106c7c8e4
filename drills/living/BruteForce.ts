/** Searches among the rows of the database that look at every unit. */
import { unpack } from "@postcode/core/Directory"
import type { StoredUnits } from "./StoredDirectory.ts"

export interface Found {
  readonly postcode: string
  readonly distance_m: number
}

/** The active units within a radius, nearest first, equally near ones by postcode. */
export const unitsWithin = (
  { actives, codes, lats_e7, lons_e7 }: StoredUnits,
  lat_e7: number,
  lon_e7: number,
  radius_m: number
): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  // A degree of latitude is at least 110 km long.
  const reach_e7 = (radius_m / 110_000) * 1e7
  for (let at = 0; at < codes.length; at++) {
    if (actives[at] !== 1 || Math.abs((lats_e7[at] as number) - lat_e7) > reach_e7) continue
    const distance_m = distance(lat_e7, lon_e7, lats_e7[at] as number, lons_e7[at] as number)
    if (distance_m <= radius_m) found.push({ postcode: unpack(codes[at] as number), distance_m })
  }
  return found.sort((a, b) => a.distance_m - b.distance_m || (a.postcode < b.postcode ? -1 : 1))
}

/** The distinct first `length` characters of the active units whose postcodes begin with a prefix, in code order. */
export const prefixesBelow = (
  { actives, codes }: StoredUnits,
  prefix: string,
  length: number
): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (let at = firstFrom(codes, prefix); at < codes.length; at++) {
    const postcode = unpack(codes[at] as number)
    if (!postcode.startsWith(prefix)) break
    if (actives[at] === 1) found.add(postcode.slice(0, length))
  }
  return [...found]
}

/** The first code whose postcode is not before the prefix. */
const firstFrom = (codes: Float64Array, prefix: string): number => {
  let [low, high] = [0, codes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (unpack(codes[middle] as number) < prefix) low = middle + 1
    else high = middle
  }
  return low
}

/** On the WGS 84 ellipsoid, by its radii of curvature half-way: exact to a tenth of a millimetre within 2 km. */
const distance = (lat1_e7: number, lon1_e7: number, lat2_e7: number, lon2_e7: number): number => {
  const radians = (difference_e7: number) => (difference_e7 / 1e7) * (Math.PI / 180)
  const middle = radians((lat1_e7 + lat2_e7) / 2)
  const w2 = 1 - eccentricity2 * Math.sin(middle) ** 2
  const north_m = (radians(lat2_e7 - lat1_e7) * radius_m * (1 - eccentricity2)) / w2 ** 1.5
  const east_m = (radians(lon2_e7 - lon1_e7) * radius_m * Math.cos(middle)) / Math.sqrt(w2)
  return Math.hypot(north_m, east_m)
}

const radius_m = 6_378_137
const eccentricity2 = 0.00669437999014
