/** Finds points with too many units of an LGA. */
import type { Findings } from "./Finding.ts"
import type { Groups, Points } from "./UnitGroups.ts"

const maxAtPoint = 50

/** The first of the units at a point stands for all. */
export const crowded = (points: Points, lgas: Groups): Findings => {
  const ids: Array<number> = []
  const counts: Array<number> = []
  for (let lga = 0; lga < lgas.length - 1; lga++) {
    const first = lgas[lga] as number
    const end = lgas[lga + 1] as number
    if (!mayBeCrowded(points, first, end)) continue
    for (const { count, id } of unitsAtPoints(points, first, end)) {
      if (count <= maxAtPoint || isZero(points, id)) continue
      ids.push(id)
      counts.push(count)
    }
  }
  return { kind: "crowded", ids, detail: (index) => `${counts[index]} units` }
}

/** The number of units by a few bits of their point. Those of one point have the same bits. */
const buckets = new Uint32Array(1 << 14)

/** Hardly any LGA has a crowded point, and to count in a map what each point has takes ten times as long. */
const mayBeCrowded = ({ lats_e7, lons_e7 }: Points, first: number, end: number): boolean => {
  if (end - first <= maxAtPoint) return false
  buckets.fill(0)
  for (let id = first; id < end; id++) {
    const north = Math.imul((lats_e7[id] as number) >> 1, 0x9e3779b1)
    const bucket = (north ^ Math.imul((lons_e7[id] as number) >> 1, 0x85ebca6b)) >>> 18
    const count = (buckets[bucket] as number) + 1
    if (count > maxAtPoint) return true
    buckets[bucket] = count
  }
  return false
}

const unitsAtPoints = ({ lats_e7, lons_e7 }: Points, first: number, end: number) => {
  const atPoint = new Map<number, { readonly id: number; count: number }>()
  for (let id = first; id < end; id++) {
    const key = pointKey(lats_e7[id] as number, lons_e7[id] as number)
    const known = atPoint.get(key)
    if (known === undefined) atPoint.set(key, { id, count: 1 })
    else known.count++
  }
  return atPoint.values()
}

/** A number for a point of 2 cm. Only points that are 13 degrees apart may have the same. */
const pointKey = (lat_e7: number, lon_e7: number): number =>
  ((lat_e7 >> 1) & 0x3ffffff) * 0x4000000 + ((lon_e7 >> 1) & 0x3ffffff)

const isZero = ({ lats_e7, lons_e7 }: Points, id: number): boolean =>
  Math.abs(lats_e7[id] as number) <= 10_000 && Math.abs(lons_e7[id] as number) <= 10_000
