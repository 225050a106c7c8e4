/**
 * Measures the units of a leaf, and takes those that are near enough into the hits. There is a loop for each way to
 * search, as a loop that does one thing runs several times as fast. In all of them a coordinate is put together in
 * integers first: so units at one point are equally far in every leaf and index.
 */
import { comesBefore, hits } from "./NearHits.ts"
import { bound2, east0, east1, north0, north1, plane, polarSquare, x_e7, y_e7 } from "./SearchPlane.ts"
import { isVisible, type SpatialIndex } from "./SpatialIndex.ts"
import { fieldOf, headerLength, int32At, unitLength } from "./UnitBlocks.ts"

/** Asked about a unit that is not visible: whether it counts all the same. */
export type Accept = ((id: number) => boolean) | undefined

/** For the nearest unit only: it is the first hit, and its distance the bound. */
export const scanForNearest = (
  index: SpatialIndex,
  block: number,
  start: number,
  end: number,
  firstId: number,
  accept: Accept
): void => {
  const { units } = index
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  const n0 = plane[north0] as number
  const n1 = plane[north1] as number
  const e0 = plane[east0] as number
  const e1 = plane[east1] as number
  const lon_e7 = int32At(units, block)
  const lat_e7 = int32At(units, block + 2)
  let bound = plane[bound2] as number
  for (let position = start, at = block + headerLength; position < end; position++, at += unitLength) {
    const dx = x - (lon_e7 + (units[at] as number))
    const dy = lat_e7 + (units[at + 1] as number) - y
    const north = dy * (n0 + n1 * dy)
    const east = dx * (e0 + e1 * dy)
    const square = north * north + east * east
    if (square > bound) continue
    const id = int32At(units, block + 4) + (units[at + 2] as number)
    if (!isVisible(index, position) && accept?.(id) !== true) continue
    if (square === bound && hits.count > 0 && !comesBefore(firstId + id, hits.ids[0] as number)) continue
    hits.ids[0] = firstId + id
    hits.squares[0] = square
    hits.count = 1
    bound = square
  }
  plane[bound2] = bound
}

/**
 * For several units, as long as there are fewer than wanted and visibility decides alone. It writes every unit behind
 * the hits and then counts it or not: without a branch there is nothing to mispredict.
 */
export const scanForAny = (index: SpatialIndex, block: number, start: number, end: number, firstId: number): void => {
  const { units, visible } = index
  const { ids, squares } = hits
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  const n0 = plane[north0] as number
  const n1 = plane[north1] as number
  const e0 = plane[east0] as number
  const e1 = plane[east1] as number
  const bound = plane[bound2] as number
  const lon_e7 = int32At(units, block)
  const lat_e7 = int32At(units, block + 2)
  const leastId = firstId + int32At(units, block + 4)
  let count = hits.count
  for (let position = start, at = block + headerLength; position < end; position++, at += unitLength) {
    const dx = x - (lon_e7 + (units[at] as number))
    const dy = lat_e7 + (units[at + 1] as number) - y
    const north = dy * (n0 + n1 * dy)
    const east = dx * (e0 + e1 * dy)
    const square = north * north + east * east
    squares[count] = square
    ids[count] = leastId + (units[at + 2] as number)
    count += ((visible[position >>> 3] as number) >>> (position & 7)) & (square <= bound ? 1 : 0)
  }
  hits.count = count
}

/** For several units, whatever the case. */
export const scanForSeveral = (
  index: SpatialIndex,
  block: number,
  start: number,
  end: number,
  firstId: number,
  accept: Accept
): void => {
  const { units } = index
  const { full, ids, limit, squares } = hits
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  const n0 = plane[north0] as number
  const n1 = plane[north1] as number
  const e0 = plane[east0] as number
  const e1 = plane[east1] as number
  const bound = plane[bound2] as number
  const lon_e7 = int32At(units, block)
  const lat_e7 = int32At(units, block + 2)
  for (let position = start, at = block + headerLength; position < end; position++, at += unitLength) {
    const dx = x - (lon_e7 + (units[at] as number))
    const dy = lat_e7 + (units[at + 1] as number) - y
    const north = dy * (n0 + n1 * dy)
    const east = dx * (e0 + e1 * dy)
    const square = north * north + east * east
    if (square > bound) continue
    const id = int32At(units, block + 4) + (units[at + 2] as number)
    if (!isVisible(index, position) && accept?.(id) !== true) continue
    if (full && square === bound && !comesBefore(firstId + id, ids[limit - 1] as number)) continue
    squares[hits.count] = square
    ids[hits.count++] = firstId + id
  }
}

/** For wide leaves, and for searches near a pole. */
export const scanSlowly = (
  index: SpatialIndex,
  block: number,
  start: number,
  end: number,
  firstId: number,
  accept: Accept,
  polar: boolean
): void => {
  for (let position = start; position < end; position++) {
    const lon_e7 = fieldOf(index, block, position - start, 0)
    const lat_e7 = fieldOf(index, block, position - start, 1)
    const square = polar ? polarSquare(lon_e7, lat_e7) : planeSquare(lon_e7, lat_e7)
    const bound = plane[bound2] as number
    if (square > bound) continue
    const id = fieldOf(index, block, position - start, 2)
    if (!isVisible(index, position) && accept?.(id) !== true) continue
    const isTie = square === bound && (hits.limit === 1 ? hits.count > 0 : hits.full)
    if (isTie && !comesBefore(firstId + id, hits.ids[hits.limit - 1] as number)) continue
    const at = hits.limit === 1 ? 0 : hits.count
    hits.ids[at] = firstId + id
    hits.squares[at] = square
    hits.count = at + 1
    if (hits.limit === 1) plane[bound2] = square
  }
}

const planeSquare = (lon_e7: number, lat_e7: number): number => {
  const dx = (plane[x_e7] as number) - lon_e7
  const dy = lat_e7 - (plane[y_e7] as number)
  const north = dy * ((plane[north0] as number) + (plane[north1] as number) * dy)
  const east = dx * ((plane[east0] as number) + (plane[east1] as number) * dy)
  return north * north + east * east
}
