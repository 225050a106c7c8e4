/**
 * The nearest active units within a radius: a walk of the KD-tree that prunes by the radius from the start and by the
 * worst hit once it holds as many as it may. It makes no objects, unless it has to hold more hits than ever before, or
 * hundreds that are equally near; the hits wait in arrays until the next search.
 *
 * What a search waits for is memory. So it asks for the first lines of several leaves before it reads any of them, and a
 * search for many units begins within the distance at which the density around the point makes it expect so many.
 */
import { type Coordinate, e7PerDegree } from "../Coordinate.ts"
import { type Accept, scanForAny, scanForFew, scanForMany } from "./LeafScan.ts"
import { beginWalk, foundLeaves, foundSquares, mostLeaves, nextLeaves } from "./LeafWalk.ts"
import {
  beginHits,
  dropSurplus,
  hits,
  makeRoom,
  mostInOrder,
  restoreHits,
  sortHits,
  type UnitOrder
} from "./NearHits.ts"
import { bound2, east0, halfWidth_e7, north0, placePlane, plane, x_e7, y_e7 } from "./SearchPlane.ts"
import { blockAt, leafStart, type SpatialIndex, unitCount } from "./SpatialIndex.ts"
import { lineOffset, rootSlot, slotsOfLine } from "./SplitTree.ts"
import { wideMark } from "./UnitBlocks.ts"

export type { UnitOrder } from "./NearHits.ts"

/** The widest radius that the metric is made for. */
export const widestRadius_m = 2000

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
  if (hits.limit <= mostInOrder) searchForFew(index, firstId, accept)
  else searchForMany(index, firstId, accept)
}

/** The leaf of the query first, as most often it narrows the bound so much that few others are left. */
const searchForFew = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  const { depth, drifts, splits, units } = index
  const unitsPerLeaf = unitCount(index) / (1 << depth)
  beginWalk(depth)
  for (let found = nextLeaves(splits, depth, 1); found > 0; found = nextLeaves(splits, depth, 2)) {
    if (found > 1) fetchLeaves(index, found)
    for (let at = 0; at < found; at++) {
      if ((foundSquares[at] as number) > (plane[bound2] as number)) continue
      const leaf = foundLeaves[at] as number
      const start = leafStart(drifts, unitsPerLeaf, leaf)
      const end = leafStart(drifts, unitsPerLeaf, leaf + 1)
      const block = blockAt(leaf, start)
      if (polar || units[block + 3] === wideMark) scanForAny(index, block, start, end, firstId, accept, polar)
      else scanForFew(index, block, start, end, firstId, accept)
    }
  }
}

const searchForMany = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  const bound = plane[bound2] as number
  const { count, full } = hits
  // A guess that holds finds all that is wanted in this index alone; so hits of other indexes do not matter to it.
  for (let guess = polar || full ? bound : guessBound2(index); guess < bound; guess *= 4) {
    plane[bound2] = guess
    gatherMany(index, firstId, accept)
    if (hits.full || hits.count - count >= hits.limit) {
      dropSurplus()
      return
    }
    restoreHits(count)
  }
  plane[bound2] = bound
  gatherMany(index, firstId, accept)
  dropSurplus()
}

/** How many units more than wanted the guess aims at, as a factor: a guess too small costs a second search. */
const margin = 1.5

/** The square of the radius that has as many units as wanted, if they lie as densely as around the query; at least 1. */
const guessBound2 = ({ depth, splits, units }: SpatialIndex): number => {
  const x = plane[x_e7] as number
  const y = plane[y_e7] as number
  let west = Number.NEGATIVE_INFINITY
  let east = Number.POSITIVE_INFINITY
  let south = Number.NEGATIVE_INFINITY
  let north = Number.POSITIVE_INFINITY
  let expected = units.length / 3
  let line = 0
  let slot = rootSlot(depth)
  for (let level = 0; level < depth && expected > 2 * hits.limit; level++) {
    if (slot >= slotsOfLine) {
      line = slotsOfLine * line + slot + lineOffset(depth)
      slot = 1
    }
    const split = splits[slotsOfLine * line + slot] as number
    const isBefore = ((level & 1) === 0 ? x : y) < split
    slot = 2 * slot + (isBefore ? 0 : 1)
    if ((level & 1) === 0) {
      if (isBefore) east = split
      else west = split
    } else if (isBefore) north = split
    else south = split
    expected /= 2
  }
  const area_m2 = (east - west) * (north - south) * (plane[north0] as number) * (plane[east0] as number)
  return Math.max(1, (margin * (hits.limit + 2) * area_m2) / (Math.PI * expected))
}

const gatherMany = (index: SpatialIndex, firstId: number, accept: Accept): void => {
  const { depth, drifts, splits, units } = index
  const unitsPerLeaf = unitCount(index) / (1 << depth)
  beginWalk(depth)
  for (let found = nextLeaves(splits, depth, mostLeaves); found > 0; found = nextLeaves(splits, depth, mostLeaves)) {
    fetchLeaves(index, found)
    for (let at = 0; at < found; at++) {
      const leaf = foundLeaves[at] as number
      const start = leafStart(drifts, unitsPerLeaf, leaf)
      const end = leafStart(drifts, unitsPerLeaf, leaf + 1)
      const block = blockAt(leaf, start)
      makeRoom(end - start + 1)
      if (polar || hits.full || accept !== undefined || units[block + 3] === wideMark) {
        scanForAny(index, block, start, end, firstId, accept, polar)
      } else scanForMany(index, block, start, end, firstId)
    }
  }
}

const lineLength = 32
// Whatever was read, so that reading it is not optimised away.
const fetched = new Uint32Array(1)

/**
 * Reads a number of each cache line that most of a leaf lies in. Processors wait for many reads at once, if none of them
 * depends on another, and one by one if each follows from what the last one brought.
 */
const fetchLeaves = (index: SpatialIndex, found: number): void => {
  const { depth, drifts, units } = index
  const unitsPerLeaf = unitCount(index) / (1 << depth)
  const last = units.length - 1
  let sum = 0
  for (let at = 0; at < found; at++) {
    const leaf = foundLeaves[at] as number
    const block = blockAt(leaf, leafStart(drifts, unitsPerLeaf, leaf))
    sum += units[block] as number
    sum += units[Math.min(block + lineLength, last)] as number
    sum += units[Math.min(block + 2 * lineLength, last)] as number
  }
  fetched[0] = sum
}
