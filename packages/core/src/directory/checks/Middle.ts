/** The middle of a group of units: the medians of their latitudes and longitudes. */
import type { Points } from "./UnitGroups.ts"

export interface Middle {
  readonly lat: number
  readonly lon: number
  /** How far from it half of the units are. */
  readonly spread_km: number
  /** The number of units that it is made of. */
  readonly count: number
}

/** Of a large group, as many units as this are looked at. */
const maxSample = 2_001

/** A sample has fewer than twice as many: every unit, every second, … */
const lats = new Float64Array(2 * maxSample)
const lons = new Float64Array(2 * maxSample)
const distances_km = new Float64Array(2 * maxSample)

/**
 * @param end exclusive
 * @param isCounted whether a unit has a location
 */
export const middleOf = (
  first: number,
  end: number,
  { lats_e7, lons_e7 }: Points,
  isCounted: (lat: number, lon: number) => boolean
): Middle => {
  const step = Math.max(1, Math.floor((end - first) / maxSample))
  let count = 0
  for (let id = first; id < end; id += step) {
    const lat = (lats_e7[id] as number) / 1e7
    const lon = (lons_e7[id] as number) / 1e7
    if (!isCounted(lat, lon)) continue
    lats[count] = lat
    lons[count++] = lon
  }
  distances_km.set(lats.subarray(0, count))
  const lat = median(distances_km, count)
  distances_km.set(lons.subarray(0, count))
  const lon = median(distances_km, count)
  for (let at = 0; at < count; at++) {
    distances_km[at] = distance_km(lat, lon, lats[at] as number, lons[at] as number)
  }
  return { lat, lon, spread_km: median(distances_km, count), count }
}

const kmPerDegree = 111.2

/** The distance on a plane, which is enough to tell near from far. */
export const distance_km = (lat: number, lon: number, otherLat: number, otherLon: number): number => {
  const north = lat - otherLat
  const east = (lon - otherLon) * Math.cos((((lat + otherLat) / 2) * Math.PI) / 180)
  return kmPerDegree * Math.sqrt(north * north + east * east)
}

/** Whether two points are farther apart than a distance. Most are near, which is seen without a cosine. */
export const isFarther = (lat: number, lon: number, otherLat: number, otherLon: number, reach_km: number): boolean => {
  const north = lat - otherLat
  const east = lon - otherLon
  const reach = reach_km / kmPerDegree
  return north * north + east * east > reach * reach && distance_km(lat, lon, otherLat, otherLon) > reach_km
}

/** The median of the first numbers of an array, which are put in another order; NaN if there are none. */
const median = (numbers: Float64Array, count: number): number => {
  const middle = count >>> 1
  let low = 0
  let high = count - 1
  // Quickselect: the middle number is always from `low` to `high`.
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1] as number
    let left = low
    let right = high
    while (left <= right) {
      while ((numbers[left] as number) < pivot) left++
      while ((numbers[right] as number) > pivot) right--
      if (left > right) break
      const moved = numbers[left] as number
      numbers[left++] = numbers[right] as number
      numbers[right--] = moved
    }
    if (middle <= right) high = right
    else if (middle >= left) low = left
    else break
  }
  return count === 0 ? Number.NaN : (numbers[middle] as number)
}
