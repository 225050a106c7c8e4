/** The units of a directory in their areas, districts, LGAs and states, which are ranges of ids. */
import type { Directory } from "../Directory.ts"
import { latOf_e7, lonOf_e7 } from "../space/SpatialIndex.ts"

/** A state, LGA, district or area with its units. */
export interface Group {
  readonly code: string
  readonly first: number
  /** Exclusive. */
  readonly end: number
}

/** The middle of a group, and how far from it half of its units are. */
export interface Middle {
  readonly lat: number
  readonly lon: number
  readonly spread_km: number
  /** The number of units that it is made of. */
  readonly count: number
}

/** The lengths of the codes of areas, districts, LGAs and states. */
export const groupLengths = { area: 12, district: 9, lga: 5, state: 2 } as const

export type GroupName = keyof typeof groupLengths

/** In 1e-7 degrees, by unit id. */
export interface Points {
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
}

export const pointsOf = ({ contents, size }: Directory): Points => {
  const lats_e7 = new Int32Array(size)
  const lons_e7 = new Int32Array(size)
  for (let id = 0; id < size; id++) {
    lats_e7[id] = latOf_e7(contents.spatial, id)
    lons_e7[id] = lonOf_e7(contents.spatial, id)
  }
  return { lats_e7, lons_e7 }
}

/** All groups, each in the order of its ids. */
export const groupsOf = (directory: Directory): Readonly<Record<GroupName, ReadonlyArray<Group>>> => {
  const groups: Record<GroupName, Array<Group>> = { area: [], district: [], lga: [], state: [] }
  const firsts = { area: 0, district: 0, lga: 0, state: 0 }
  let before: string | undefined
  for (let id = 0; id <= directory.size; id++) {
    const postcode = id === directory.size ? undefined : directory.postcodeAt(id)
    for (const name of groupNames) {
      const length = groupLengths[name]
      if (before === undefined || postcode?.startsWith(before.slice(0, length))) continue
      groups[name].push({ code: before.slice(0, length), first: firsts[name], end: id })
      firsts[name] = id
    }
    before = postcode
  }
  return groups
}

const groupNames = Object.keys(groupLengths) as ReadonlyArray<GroupName>

/** Of a large group, as many units as this are looked at. */
const maxSample = 2_001

/** @param isCounted whether a unit has a location */
export const middleOf = (
  { end, first }: Group,
  { lats_e7, lons_e7 }: Points,
  isCounted: (id: number) => boolean
): Middle => {
  const step = Math.max(1, Math.floor((end - first) / maxSample))
  const ids: Array<number> = []
  for (let id = first; id < end; id += step) if (isCounted(id)) ids.push(id)
  const lat = median(ids.map((id) => lats_e7[id] as number)) / 1e7
  const lon = median(ids.map((id) => lons_e7[id] as number)) / 1e7
  const distances = ids.map((id) => distance_km(lat, lon, (lats_e7[id] as number) / 1e7, (lons_e7[id] as number) / 1e7))
  return { lat, lon, spread_km: median(distances), count: ids.length }
}

/** The distance on a plane, which is enough to tell near from far. */
export const distance_km = (lat: number, lon: number, otherLat: number, otherLon: number): number =>
  111.2 * Math.hypot(lat - otherLat, (lon - otherLon) * Math.cos((((lat + otherLat) / 2) * Math.PI) / 180))

const median = (numbers: ReadonlyArray<number>): number =>
  Float64Array.from(numbers).sort()[Math.floor(numbers.length / 2)] ?? Number.NaN
