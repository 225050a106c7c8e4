/**
 * Measures the units of a leaf and adds those within the bound to the hits. The common cases have separate, faster
 * loops. All loops compute a coordinate as an integer first, so units at the same point have the same distance in every
 * leaf and index.
 */
import { comesBefore, hits, maxInOrder, takeIn } from "./NearHits.ts"
import { bound2, east0, east1, north0, north1, plane, polarSquare, x_e7, y_e7 } from "./SearchPlane.ts"
import { isVisible, type SpatialIndex } from "./SpatialIndex.ts"
import { headerLength, int32At, unitLength, wideMark } from "./UnitBlocks.ts"

/** Whether to include a unit that is not visible. */
export type Accept = ((id: number) => boolean) | undefined

/** For the nearest unit, if visibility decides. Not for wide leaves. */
export const scanForOne = (index: SpatialIndex, block: number, start: number, end: number): void => {
  const { units, visible } = index
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  const n0 = plane[north0] as number
  const n1 = plane[north1] as number
  const e0 = plane[east0] as number
  const e1 = plane[east1] as number
  const lon_e7 = int32At(units, block)
  const lat_e7 = int32At(units, block + 2)
  const leastId = int32At(units, block + 4)
  let bound = plane[bound2] as number
  for (let position = start, at = block + headerLength; position < end; position++, at += unitLength) {
    const dx = x - ((lon_e7 + (units[at] as number)) | 0)
    const dy = ((lat_e7 + (units[at + 1] as number)) | 0) - y
    const north = dy * (n0 + n1 * dy)
    const east = dx * (e0 + e1 * dy)
    const square = north * north + east * east
    if (square > bound || (((visible[position >>> 3] as number) >>> (position & 7)) & 1) === 0) continue
    const id = leastId + (units[at + 2] as number)
    if (square === bound && hits.count > 0 && comesBefore(hits.ids[0] as number, id)) continue
    bound = square
    hits.squares[0] = square
    hits.ids[0] = id
    hits.count = 1
  }
  plane[bound2] = bound
}

/**
 * Maximum number of units in a leaf for `scanForSome`: 32 bits of visibility less 7 for the offset in the first byte.
 */
export const maxToScan = 25

/**
 * For several units, if visibility decides, in no order. To avoid mispredicted branches it writes every unit after the
 * hits and then counts it or not. Not for wide leaves.
 */
export const scanForSome = (index: SpatialIndex, block: number, start: number, end: number): void => {
  const { units } = index
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
  const leastId = int32At(units, block + 4)
  const first = block + headerLength
  const behind = first + unitLength * (end - start)
  let bits = visibleFrom(index, start)
  let count = hits.count
  for (let at = first; at < behind; at += unitLength) {
    const dx = x - ((lon_e7 + (units[at] as number)) | 0)
    const dy = ((lat_e7 + (units[at + 1] as number)) | 0) - y
    const north = dy * (n0 + n1 * dy)
    const east = dx * (e0 + e1 * dy)
    const square = north * north + east * east
    squares[count] = square
    ids[count] = leastId + (units[at + 2] as number)
    count = (count + (bits & +(square <= bound))) | 0
    bits >>>= 1
  }
  hits.count = count
}

/** The visibility of the units from a position on, the first one in the lowest bit. */
const visibleFrom = ({ visible }: SpatialIndex, position: number): number => {
  const at = position >>> 3
  const last = visible.length - 1
  const low = (visible[at] as number) | ((visible[Math.min(at + 1, last)] as number) << 8)
  const high = (visible[Math.min(at + 2, last)] as number) | ((visible[Math.min(at + 3, last)] as number) << 8)
  return (low | (high << 16)) >>> (position & 7)
}

/** For all other cases: near a pole, wide or crowded leaves, units that need `accept`, and a full list of hits. */
export const scanForAny = (
  index: SpatialIndex,
  block: number,
  start: number,
  end: number,
  accept: Accept,
  polar: boolean
): void => {
  const { highs, units } = index
  const inOrder = hits.limit <= maxInOrder
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  const n0 = plane[north0] as number
  const n1 = plane[north1] as number
  const e0 = plane[east0] as number
  const e1 = plane[east1] as number
  const isWide = units[block + 3] === wideMark
  const leastLon_e7 = int32At(units, block)
  const leastLat_e7 = int32At(units, block + 2)
  const leastId = int32At(units, block + 4)
  // In a wide leaf the first number of the header is the start of its high halves.
  let high = leastLon_e7
  for (let position = start, at = block + headerLength; position < end; position++, at += unitLength) {
    const highLat = isWide ? (highs[high + 1] as number) << 16 : leastLat_e7
    const lat_e7 = highLat + (units[at + 1] as number)
    const highLon = isWide ? (highs[high] as number) << 16 : leastLon_e7
    const lon_e7 = highLon + (units[at] as number)
    const highId = isWide ? (highs[high + 2] as number) << 16 : leastId
    high += unitLength
    const dx = x - lon_e7
    const dy = lat_e7 - y
    const north = dy * (n0 + n1 * dy)
    const east = dx * (e0 + e1 * dy)
    const square = polar ? polarSquare(lon_e7, lat_e7) : north * north + east * east
    const bound = plane[bound2] as number
    if (square > bound) continue
    const id = highId + (units[at + 2] as number)
    if (!isVisible(index, position) && accept?.(id) !== true) continue
    if (hits.full && square === bound && !comesBefore(id, hits.ids[hits.limit - 1] as number)) continue
    hits.squares[hits.count] = square
    hits.ids[hits.count++] = id
    if (inOrder) takeIn(hits.count - 1)
  }
}
