/**
 * The nearest active units within a radius: a walk of the KD-tree that prunes by the radius from the start and by the
 * worst hit once it holds as many as it may. It makes no objects, unless it has to hold more hits than ever before, or
 * hundreds that are equally near; the hits wait in arrays until the next search.
 *
 * What a search waits for is memory. So it asks for the first lines of several leaves before it reads any of them, and a
 * search for many units begins within the distance at which the density around the point makes it expect so many.
 */
import { type Coordinate, e7PerDegree } from "./Coordinate.ts"
import { type Accept, maxToScan, scanForAny, scanForOne, scanForSome } from "./LeafScan.ts"
import { beginWalk, foundLeaves, foundSquares, maxLeaves, nextLeaves } from "./LeafWalk.ts"
import {
  beginHits,
  dropSurplus,
  hits,
  makeRoom,
  maxInOrder,
  restoreHits,
  sortHits,
  takeIn,
  type UnitOrder
} from "./NearHits.ts"
import { bound2, east0, halfWidth_e7, north0, placePlane, plane, x_e7, y_e7 } from "./SearchPlane.ts"
import { blockAt, leafStart, type SpatialIndex, unitCount } from "./SpatialIndex.ts"
import { lineOffset, rootSlot, slotsOfLine } from "./SplitTree.ts"
import { headerLength, unitLength, wideMark } from "./UnitBlocks.ts"

export type { UnitOrder } from "./NearHits.ts"

/** The widest radius that the metric is made for. */
export const maxRadius_m = 2000

/**
 * Begins a search for the `limit` nearest units within the radius. A unit as far as the radius counts, give or take the
 * tenth of a millimetre that the metric may be off. Equally near ones come in the given order, by id unless told.
 */
export const beginSearch = (center: Coordinate, radius_m: number, limit: number, order?: UnitOrder): void => {
  polar = placePlane(center, radius_m)
  beginHits(limit, order)
}

/**
 * Searches an index, in addition to those searched since the search began.
 *
 * @param firstId what is added to the ids of this index, so that hits of several indexes can be told apart
 * @param accept asked about each near unit that the index does not call visible, by its id in the index; without it
 *   such units are passed over
 */
export const searchIndex = (index: SpatialIndex, firstId: number, accept?: (id: number) => boolean): void => {
  if (hits.limit === 0) return
  search(index, firstId, accept)
  const x = plane[x_e7] as number
  const reach_e7 = Math.abs(x) + (plane[halfWidth_e7] as number)
  if (polar || reach_e7 <= halfTurn_e7) return
  plane[x_e7] = x > 0 ? x - 2 * halfTurn_e7 : x + 2 * halfTurn_e7
  search(index, firstId, accept)
  plane[x_e7] = x
}

/** How near a unit has to be, as far as it is known by now, to be among the hits. */
export const reach_m = (): number => Math.sqrt(plane[bound2] as number)

/** Ends the search; returns how many hits it has. They are in order, nearest first. */
export const endSearch = (): number => {
  sortHits()
  return hits.count
}

/** The id of a hit of the last search, 0 being the nearest. */
export const hitId = (rank: number): number => hits.ids[rank] as number

/** How far away that hit is. */
export const hitDistance_m = (rank: number): number => Math.sqrt(hits.squares[rank] as number)

const halfTurn_e7 = 180 * e7PerDegree

let polar = false

const search = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  if (hits.limit <= maxInOrder) searchForFew(index, firstId, accept)
  else searchForMany(index, firstId, accept)
}

/** The leaf of the query first, as most often it narrows the bound so much that few others are left. */
const searchForFew = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  beginWalk(index.depth)
  for (let found = nextLeaves(index, 1); found > 0; found = nextLeaves(index, 2)) {
    fetchLeaves(index, found)
    for (let at = 0; at < found; at++) {
      if ((foundSquares[at] as number) > (plane[bound2] as number)) continue
      const start = starts[at] as number
      const end = ends[at] as number
      const block = blocks[at] as number
      if (!isPlain(index, at, accept)) scanForAny(index, block, start, end, firstId, accept, polar)
      else if (hits.limit === 1) scanForOne(index, block, start, end, firstId)
      else {
        const { count } = hits
        scanForSome(index, block, start, end, firstId)
        takeIn(count)
      }
    }
  }
}

const searchForMany = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  const bound = plane[bound2] as number
  const { count, full } = hits
  // A guess that holds finds all that is wanted in this index alone; so hits of other indexes do not matter to it.
  let guess = polar || full ? bound : guessBound2(index)
  while (guess < bound) {
    plane[bound2] = guess
    gatherMany(index, firstId, accept)
    const found = hits.count - count
    if (hits.full || found >= hits.limit) {
      dropSurplus()
      return
    }
    restoreHits(count)
    guess *= Math.max(2, (margin * hits.limit) / (found + 1))
  }
  plane[bound2] = bound
  gatherMany(index, firstId, accept)
  dropSurplus()
}

/** How many units more than wanted the guess aims at, as a factor: a guess too small costs a second search. */
const margin = 1.3

/**
 * The square of the radius that has as many units as wanted, if they lie as densely as around the query; at least 1. Of
 * the boxes of the tree around it that are expected to have at most four times as many, it trusts the densest one, as
 * the others may have land without units in them.
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

const gatherMany = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  beginWalk(index.depth)
  for (let found = nextLeaves(index, maxLeaves); found > 0; found = nextLeaves(index, maxLeaves)) {
    fetchLeaves(index, found)
    for (let at = 0; at < found; at++) {
      const start = starts[at] as number
      const end = ends[at] as number
      const block = blocks[at] as number
      makeRoom(end - start + 1)
      if (!hits.full && isPlain(index, at, accept)) scanForSome(index, block, start, end, firstId)
      else scanForAny(index, block, start, end, firstId, accept, polar)
    }
  }
}

/** Whether a leaf of the last ones fetched is a common one, so that visibility and the plane alone decide. */
const isPlain = ({ units }: SpatialIndex, at: number, accept: Accept): boolean =>
  !polar &&
  accept === undefined &&
  units[(blocks[at] as number) + 3] !== wideMark &&
  (ends[at] as number) - (starts[at] as number) <= maxToScan

// Of the leaves fetched: the positions of the first unit and behind the last one, and where the block begins.
const starts = new Uint32Array(maxLeaves)
const ends = new Uint32Array(maxLeaves)
const blocks = new Uint32Array(maxLeaves)

// Whatever was read, so that reading it is not optimised away.
const fetched = new Uint32Array(1)

/**
 * Reads from the cache lines of leaves found: of each the beginning, the middle and the end. Processors wait for many
 * reads at once, if none of them depends on another and all are close together in the program, and one by one if each
 * follows from what the last one brought.
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
