/**
 * The nearest active units within a radius: a walk of the KD-tree that prunes by the radius, and by the worst hit once
 * there are `limit` hits. It allocates only to hold more hits than any search before, or to sort hundreds of equally
 * near ones. Hits stay in module arrays until the next search.
 *
 * Most of the time of a search is memory latency. So it reads the first cache lines of several leaves before it scans
 * them, and a search for many units begins with a radius estimated from the density around the point.
 */
import { type Coordinate, e7PerDegree } from "./Coordinate.ts"
import { type Accept, maxToScan, scanForAny, scanForOne, scanForSome } from "./LeafScan.ts"
import { beginWalk, foundLeaves, foundSquares, maxLeaves, nextLeaves } from "./LeafWalk.ts"
import {
  beginHits,
  comesBefore,
  dropSurplus,
  hits,
  makeRoom,
  maxInOrder,
  sortHits,
  takeIn,
  type UnitOrder
} from "./NearHits.ts"
import {
  bound2,
  east0,
  east1,
  halfWidth_e7,
  north0,
  north1,
  placePlane,
  plane,
  polarSquare,
  x_e7,
  y_e7
} from "./SearchPlane.ts"
import { blockAt, leafStart, type SpatialIndex, unitCount } from "./SpatialIndex.ts"
import { lineOffset, rootSlot, slotsOfLine } from "./SplitTree.ts"
import { headerLength, unitLength, wideMark } from "./UnitBlocks.ts"

export type { UnitOrder } from "./NearHits.ts"

/** The largest radius at which the metric is exact. */
export const maxRadius_m = 2000

/**
 * Begins a search for the `limit` nearest units within the radius, which is inclusive, with a tolerance of 0.1 mm for
 * the error of the metric. Equally near units are sorted by the given order; default: by id.
 */
export const beginSearch = (center: Coordinate, radius_m: number, limit: number, order?: UnitOrder): void => {
  polar = placePlane(center, radius_m)
  leavesLeft = maxScanned + limit
  beginHits(limit, order)
}

/**
 * Searches an index: once, before units are offered.
 *
 * @param accept whether to include a near unit that is not visible, by its id in the index; without it none are
 *   included
 */
export const searchIndex = (index: SpatialIndex, accept?: (id: number) => boolean): void => {
  if (hits.limit === 0) return
  search(index, accept)
  const x = plane[x_e7] as number
  const reach_e7 = Math.abs(x) + (plane[halfWidth_e7] as number)
  if (polar || reach_e7 <= halfTurn_e7) return
  plane[x_e7] = x > 0 ? x - 2 * halfTurn_e7 : x + 2 * halfTurn_e7
  search(index, accept)
  plane[x_e7] = x
}

/** Offers one active unit to the search, beside those of the index. */
export const offerUnit = (id: number, lon_e7: number, lat_e7: number): void => {
  const x = plane[x_e7] as number
  const square = polar ? polarSquare(lon_e7, lat_e7) : squareTo(nearerTurn(x, lon_e7) - lon_e7, lat_e7)
  if (square > (plane[bound2] as number)) return
  makeRoom(1)
  if (hits.full && square === plane[bound2] && !comesBefore(id, hits.ids[hits.limit - 1] as number)) return
  hits.squares[hits.count] = square
  hits.ids[hits.count++] = id
  if (hits.limit <= maxInOrder) takeIn(hits.count - 1)
}

/** The current bound: units farther away cannot become hits. */
export const reach_m = (): number => Math.sqrt(plane[bound2] as number)

/** Ends the search and sorts the hits, nearest first. Returns their number. */
export const endSearch = (): number => {
  sortHits()
  return hits.count
}

/** The id of a hit of the last search, by its rank from 0. */
export const hitId = (rank: number): number => hits.ids[rank] as number

/** The distance of that hit. */
export const hitDistance_m = (rank: number): number => Math.sqrt(hits.squares[rank] as number)

/**
 * Leaves that a search scans, in addition to one for each hit: 200,000 units at least, more than there are within the
 * largest radius. Splits of a hostile snapshot may have all leaves near each point.
 */
const maxScanned = 2 ** 14
let leavesLeft = 0

const halfTurn_e7 = 180 * e7PerDegree

let polar = false

/** The query's longitude, a turn on if it is nearer to the unit's across the antimeridian. */
const nearerTurn = (x: number, lon_e7: number): number =>
  Math.abs(x - lon_e7) <= halfTurn_e7 ? x : x > 0 ? x - 2 * halfTurn_e7 : x + 2 * halfTurn_e7

const squareTo = (dx: number, lat_e7: number): number => {
  const dy = lat_e7 - (plane[y_e7] as number)
  const north = dy * ((plane[north0] as number) + (plane[north1] as number) * dy)
  const east = dx * ((plane[east0] as number) + (plane[east1] as number) * dy)
  return north * north + east * east
}

const search = (index: SpatialIndex, accept: Accept): void => {
  if (hits.limit <= maxInOrder) searchForFew(index, accept)
  else searchForMany(index, accept)
}

/** Scans the leaf of the query first: usually it narrows the bound so much that few others remain. */
const searchForFew = (index: SpatialIndex, accept: Accept): void => {
  beginWalk(index.depth)
  for (let found = nextLeaves(index, 1); found > 0 && leavesLeft > 0; found = nextLeaves(index, 2)) {
    leavesLeft -= found
    fetchLeaves(index, found)
    for (let at = 0; at < found; at++) {
      if ((foundSquares[at] as number) > (plane[bound2] as number)) continue
      const start = starts[at] as number
      const end = ends[at] as number
      const block = blocks[at] as number
      if (!isPlain(index, at, accept)) scanForAny(index, block, start, end, accept, polar)
      else if (hits.limit === 1) scanForOne(index, block, start, end)
      else {
        const { count } = hits
        scanForSome(index, block, start, end)
        takeIn(count)
      }
    }
  }
}

const searchForMany = (index: SpatialIndex, accept: Accept): void => {
  const bound = plane[bound2] as number
  let guess = polar ? bound : guessBound2(index)
  while (guess < bound) {
    plane[bound2] = guess
    gatherMany(index, accept)
    const found = hits.count
    if (hits.full || found >= hits.limit) {
      dropSurplus()
      return
    }
    hits.count = 0
    guess *= Math.max(2, (margin * hits.limit) / (found + 1))
  }
  plane[bound2] = bound
  gatherMany(index, accept)
  dropSurplus()
}

/**
 * The guess aims at more units than needed, by this factor, because a guess that is too small costs a second search.
 */
const margin = 1.3

/**
 * The square of the radius expected to contain `limit` units, at least 1. The density is that of the densest box of the
 * tree around the query with at most four times `limit` units, because the other boxes may include empty land.
 */
const guessBound2 = (index: SpatialIndex): number => {
  const { depth, splits } = index
  const x = Math.floor(plane[x_e7] as number)
  const y = Math.floor(plane[y_e7] as number)
  const all = unitCount(index)
  let boxes = 1
  let least = Number.POSITIVE_INFINITY
  let line = 0
  let slot = rootSlot(depth)
  sides.set(endless)
  for (let level = 0; level < depth; level++) {
    if (slot >= slotsOfLine) {
      line = slotsOfLine * line + slot + lineOffset(depth)
      slot = 1
    }
    const axis = level & 1
    const split = splits[slotsOfLine * line + slot] as number
    const side = +((axis === 0 ? x : y) >= split)
    slot = 2 * slot + side
    sides[2 * axis + side] = split
    boxes *= 2
    if (all > 4 * hits.limit * boxes) continue
    const area = ((sides[0] as number) - (sides[1] as number)) * ((sides[2] as number) - (sides[3] as number))
    least = Math.min(least, area * boxes)
  }
  const area_m2 = (least / all) * (plane[north0] as number) * (plane[east0] as number)
  return Math.max(1, (margin * (hits.limit + 2) * area_m2) / Math.PI)
}

// The box around the query: its east, west, north and south.
const sides = new Float64Array(4)
const infinity = Number.POSITIVE_INFINITY
const endless = Float64Array.of(infinity, -infinity, infinity, -infinity)

const gatherMany = (index: SpatialIndex, accept: Accept): void => {
  beginWalk(index.depth)
  for (let found = nextLeaves(index, maxLeaves); found > 0 && leavesLeft > 0; found = nextLeaves(index, maxLeaves)) {
    leavesLeft -= found
    fetchLeaves(index, found)
    for (let at = 0; at < found; at++) {
      const start = starts[at] as number
      const end = ends[at] as number
      const block = blocks[at] as number
      makeRoom(end - start + 1)
      if (!hits.full && isPlain(index, at, accept)) scanForSome(index, block, start, end)
      else scanForAny(index, block, start, end, accept, polar)
    }
  }
}

/** Whether a fetched leaf can be scanned by the fast loops: only visibility and the distance on the plane matter. */
const isPlain = ({ units }: SpatialIndex, at: number, accept: Accept): boolean =>
  !polar &&
  accept === undefined &&
  units[(blocks[at] as number) + 3] !== wideMark &&
  (ends[at] as number) - (starts[at] as number) <= maxToScan

// The fetched leaves: start and end position of their units, and the start of their block.
const starts = new Uint32Array(maxLeaves)
const ends = new Uint32Array(maxLeaves)
const blocks = new Uint32Array(maxLeaves)

// Receives what was read, so that the reads are not optimized away.
const fetched = new Uint32Array(1)

/**
 * Reads the start, the middle and the end of each found leaf. Reads that do not depend on one another and are close
 * together in the program are served by the memory at the same time.
 */
const fetchLeaves = (index: SpatialIndex, found: number): void => {
  const { depth, drifts, units } = index
  const unitsPerLeaf = unitCount(index) / (1 << depth)
  for (let at = 0; at < found; at++) {
    const leaf = foundLeaves[at] as number
    const start = leafStart(drifts, unitsPerLeaf, leaf)
    starts[at] = start
    ends[at] = leafStart(drifts, unitsPerLeaf, leaf + 1)
    blocks[at] = blockAt(leaf, start)
  }
  if (found === 1) return
  let sum = 0
  for (let at = 0; at < found; at++) {
    const block = blocks[at] as number
    const length = headerLength + unitLength * ((ends[at] as number) - (starts[at] as number))
    sum |= (units[block] as number) | (units[block + (length >>> 1)] as number) | (units[block + length - 1] as number)
  }
  fetched[0] = sum
}
