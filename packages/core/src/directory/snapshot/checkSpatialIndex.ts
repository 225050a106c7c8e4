/** Checks that the spatial index of a snapshot is safe to search. */
import { e7PerDegree } from "../space/Coordinate.ts"
import { leafNumbersFault } from "../space/LeafNumbers.ts"
import { blockAt, depthFor, leafStart, maxDepth, maxUnitsOfLeaf, type SpatialIndex } from "../space/SpatialIndex.ts"
import { lineCount, lineOffset, rootSlot, slotsOfLine } from "../space/SplitTree.ts"
import { fieldOf, headerLength, int32At, unitLength, wideMark } from "../space/UnitBlocks.ts"

/**
 * The fault of an index of `count` units, as `field: expected …`; undefined if every walk stays within the arrays and
 * ends, every coordinate is in range, and every id is below `count`. Checking that ids are distinct, and
 * units on the right side of the splits, would take too long, except for one unit of each 16 leaves. A file that violates this
 * makes searches miss units.
 */
export const checkSpatialIndex = (index: SpatialIndex, count: number): string | undefined =>
  lengthFault(index, count) ??
  leavesFault(index, count) ??
  splitsFault(index, count) ??
  leafNumbersFault(index, count, 2 ** index.depth) ??
  lastBitsFault(index.visible, count)

const lengthFault = (index: SpatialIndex, count: number): string | undefined => {
  const { depth, drifts, splits, units, visible } = index
  if (!(Number.isInteger(depth) && depth >= 0 && depth <= maxDepth)) {
    return `depth: expected an integer from 0 to ${maxDepth}`
  }
  // A search reads whole leaves, so their size is its cost.
  if (depth !== depthFor(count)) return `depth: expected ${depthFor(count)} for ${count} units, found ${depth}`
  const lengths = [
    ["splits", splits.length, slotsOfLine * lineCount(depth)],
    ["drifts", drifts.length, 2 ** depth + 1],
    ["units", units.length, headerLength * 2 ** depth + unitLength * count],
    ["visible", visible.length, Math.ceil(count / 8)]
  ] as const
  for (const [name, found, expected] of lengths) {
    if (found !== expected) return `${name}: expected ${expected} elements, found ${found}`
  }
  return undefined
}

const leavesFault = (index: SpatialIndex, count: number): string | undefined => {
  const { depth, drifts } = index
  const leafCount = 2 ** depth
  const unitsPerLeaf = count / leafCount
  if (leafStart(drifts, unitsPerLeaf, 0) !== 0) return "drifts: expected the first leaf to begin at 0"
  // 1024 leaves per call: repeated calls are compiled earlier than one long loop.
  for (let leaf = 0; leaf < leafCount; leaf += 1024) {
    const fault = someLeavesFault(index, count, leaf, Math.min(leaf + 1024, leafCount))
    if (fault !== undefined) return fault
  }
  const end = leafStart(drifts, unitsPerLeaf, leafCount)
  return end === count ? undefined : `drifts: expected the last leaf to end at ${count}`
}

const someLeavesFault = (index: SpatialIndex, count: number, first: number, last: number): string | undefined => {
  const { depth, drifts, units } = index
  const unitsPerLeaf = count / 2 ** depth
  const most = maxUnitsOfLeaf(depth)
  let end = leafStart(drifts, unitsPerLeaf, first)
  for (let leaf = first; leaf < last; leaf++) {
    const start = end
    end = leafStart(drifts, unitsPerLeaf, leaf + 1)
    // A directory with units has no empty leaf, and `LeafNumbers` may refer to every leaf.
    if (end > count || (end <= start && count > 0))
      return `drifts: expected leaf ${leaf} to end from ${start} to ${count}`
    if (end - start > most) return `drifts: expected at most ${most} units in leaf ${leaf}, found ${end - start}`
    const block = blockAt(leaf, start)
    const lat_e7 = int32At(units, block + 2)
    // A wide leaf is never safe here, because its mark is not a latitude.
    if (isSafe(int32At(units, block), lat_e7, int32At(units, block + 4), count)) continue
    const fault = leafFault(index, block, end - start, count)
    if (fault !== undefined) return `${fault} in leaf ${leaf}`
  }
  return undefined
}

/**
 * The first leaf of each 16 must have its first unit, or its least coordinates, within the splits above the 16.
 * Otherwise all leaves could be near a point without units, and a search there would scan the whole directory. Checking
 * each leaf would take a quarter of the time of opening.
 */
const splitsFault = (index: SpatialIndex, count: number): string | undefined => {
  const { depth, splits } = index
  const lines = splits.length / slotsOfLine
  const offset = lineOffset(depth)
  const unitsPerLeaf = count / 2 ** depth
  let wrong = -1
  const check = (
    line: number,
    slot: number,
    axis: number,
    west: number,
    east: number,
    south: number,
    north: number
  ) => {
    if (slot >= slotsOfLine) {
      const below = slotsOfLine * line + slot + offset
      const leaf = slotsOfLine * below + slotsOfLine + offset - lines
      if (leaf < 0) check(below, 1, axis, west, east, south, north)
      else if (!isLeafWithin(index, leaf, unitsPerLeaf, west, east, south, north)) wrong = leaf
      return
    }
    const split = splits[slotsOfLine * line + slot] as number
    if (axis === 0) {
      check(line, 2 * slot, 1, west, Math.min(east, split), south, north)
      check(line, 2 * slot + 1, 1, Math.max(west, split), east, south, north)
    } else {
      check(line, 2 * slot, 0, west, east, south, Math.min(north, split))
      check(line, 2 * slot + 1, 0, west, east, Math.max(south, split), north)
    }
  }
  if (lines > 1) check(0, rootSlot(depth), 0, -maxLon_e7, maxLon_e7, -maxLat_e7, maxLat_e7)
  return wrong < 0 ? undefined : `splits: expected the units of leaf ${wrong} within those above it`
}

const isLeafWithin = (
  index: SpatialIndex,
  leaf: number,
  unitsPerLeaf: number,
  west: number,
  east: number,
  south: number,
  north: number
): boolean => {
  const block = blockAt(leaf, leafStart(index.drifts, unitsPerLeaf, leaf))
  const isWide = index.units[block + 3] === wideMark
  const lon_e7 = isWide ? fieldOf(index, block, 0, 0) : int32At(index.units, block)
  const lat_e7 = isWide ? fieldOf(index, block, 0, 1) : int32At(index.units, block + 2)
  return lon_e7 >= west && lon_e7 <= east && lat_e7 >= south && lat_e7 <= north
}

const maxLon_e7 = 180 * e7PerDegree
const maxLat_e7 = 90 * e7PerDegree

/** Maximum of the low half of a number. */
const maxExcess = 65_535

/** Whether units are valid whatever their low halves are. Nearly all are, so the low halves need not be read. */
const isSafe = (lon_e7: number, lat_e7: number, id: number, count: number): boolean =>
  lon_e7 >= -maxLon_e7 &&
  lon_e7 <= maxLon_e7 - maxExcess &&
  lat_e7 >= -maxLat_e7 &&
  lat_e7 <= maxLat_e7 - maxExcess &&
  id >= 0 &&
  id < count - maxExcess

const leafFault = (index: SpatialIndex, block: number, size: number, count: number): string | undefined =>
  index.units[block + 3] === wideMark ? wideFault(index, block, size, count) : exactFault(index, block, size, count)

const wideFault = (index: SpatialIndex, block: number, size: number, count: number): string | undefined => {
  const { highs, units } = index
  const first = int32At(units, block)
  const end = first + unitLength * size
  if (first < 0 || end > highs.length) return `units: expected a place in highs, which has ${highs.length} elements,`
  for (let at = first; at < end; at += unitLength) {
    const lon_e7 = (highs[at] as number) << 16
    const lat_e7 = (highs[at + 1] as number) << 16
    if (!isSafe(lon_e7, lat_e7, (highs[at + 2] as number) << 16, count)) return exactFault(index, block, size, count)
  }
  return undefined
}

const exactFault = (index: SpatialIndex, block: number, size: number, count: number): string | undefined => {
  for (let rank = 0; rank < size; rank++) {
    if (Math.abs(fieldOf(index, block, rank, 0)) > maxLon_e7) return "units: expected longitudes up to 180 degrees"
    if (Math.abs(fieldOf(index, block, rank, 1)) > maxLat_e7) return "units: expected latitudes up to 90 degrees"
    const id = fieldOf(index, block, rank, 2)
    if (id < 0 || id >= count) return `units: expected ids below ${count}`
  }
  return undefined
}

const lastBitsFault = (visible: Uint8Array, count: number): string | undefined =>
  (count & 7) !== 0 && (visible[count >>> 3] as number) >>> (count & 7) !== 0
    ? `visible: expected zeros behind bit ${count - 1}`
    : undefined
