/** Folds changes into an edition, as if it were built from the current units. */

import { type Arrays, ownArrays, release } from "../Arrays.ts"
import { active } from "../codes/AreaUnits.ts"
import { emptyBits, hasBit, setBit } from "../codes/BitSet.ts"
import { identity, inCodeOrder, orderedRows } from "../codes/CodeOrder.ts"
import { type LocationSums, sumLocations } from "../codes/LocationSums.ts"
import { activeBitsOf, buildTree, type SegmentTree, treeSize, writePacked } from "../codes/SegmentTree.ts"
import { noSuccessor, type Successors, successorsOf } from "../codes/Successors.ts"
import { findPacked, indexOfTree } from "../codes/TreeIndex.ts"
import { buildSpatialIndex, latOf_e7, lonOf_e7, type SpatialIndex } from "../space/SpatialIndex.ts"
import type { AddressIndex } from "../text/AddressIndex.ts"
import { copyStates, emptyStates, type UnitStates } from "./UnitStates.ts"

/** The indexes of an edition's units. */
interface Indexes {
  readonly tree: SegmentTree
  readonly locationSums: LocationSums
  readonly spatial: SpatialIndex
  readonly successors: Successors
  readonly addresses?: AddressIndex | undefined
}

/** The last state of each changed unit, in code order. */
interface ChangedUnits extends UnitStates {
  /** Whether the edition does not have the unit. */
  readonly isAdded: ReadonlyArray<boolean>
}

/** One pass in code order, with about 20 bytes per unit beside the result. `arrays` allocates the result. */
export const foldLayers = (base: Indexes, layers: ReadonlyArray<UnitStates>, arrays: Arrays = ownArrays): Indexes => {
  const changed = lastStates(base.tree, layers)
  const count = treeSize(base.tree)
  const size = count + changed.isAdded.filter((isAdded) => isAdded).length
  const codes = new Float64Array(size)
  writePacked(base.tree, codes)
  const ranks = insertCodes(codes, count, changed)
  const activeBits = foldActive(activeBitsOf(base.tree), changed, ranks, size)
  const units = orderedRows(size)
  const tree = buildTree(units, codes, activeBits, arrays)
  release(codes)
  const points = foldPoints(base.spatial, changed, ranks, size)
  return {
    tree,
    locationSums: sumLocations(tree, units, points, activeBits, arrays),
    spatial: buildSpatialIndex(units, points, activeBits, arrays),
    successors: foldSuccessors(base.successors, changed, arrays),
    addresses: base.addresses === undefined ? undefined : foldAddresses(base.addresses, changed, ranks, size, arrays)
  }
}

const lastStates = (tree: SegmentTree, layers: ReadonlyArray<UnitStates>): ChangedUnits => {
  const all = emptyStates(layers.reduce((sum, { codes }) => sum + codes.length, 0))
  let end = 0
  for (const states of layers) {
    copyStates(states, all, end)
    end += states.codes.length
  }
  const { codes, lats_e7, lons_e7, statuses, successors } = all
  const rows = inCodeOrder(codes) ?? identity(codes.length)
  const last = rows.filter((row, rank) => codes[row] !== codes[rows[rank + 1] ?? -1])
  const index = indexOfTree(tree)
  return {
    codes: Float64Array.from(last, (row) => codes[row] as number),
    lats_e7: Int32Array.from(last, (row) => lats_e7[row] as number),
    lons_e7: Int32Array.from(last, (row) => lons_e7[row] as number),
    statuses: Uint8Array.from(last, (row) => statuses[row] as number),
    successors: Float64Array.from(last, (row) => successors[row] as number),
    isAdded: Array.from(last, (row) => findPacked(index, codes[row] as number) < 0)
  }
}

/** The bits of active units. */
const foldActive = (base: Uint8Array, changed: ChangedUnits, ranks: Uint32Array, size: number): Uint8Array => {
  const bits = emptyBits(size)
  forEachUnit(changed, ranks, size, (id, inBase, inChanged) => {
    const isActive = inChanged < 0 ? hasBit(base, inBase) : changed.statuses[inChanged] === active
    if (isActive) setBit(bits, id)
  })
  return bits
}

/** The successors of the unchanged units and of the changed ones. */
const foldSuccessors = (base: Successors, changed: ChangedUnits, arrays: Arrays): Successors => {
  const folded: Array<readonly [code: number, successor: number]> = []
  let at = 0
  const addChangedBelow = (code: number): void => {
    for (; at < changed.codes.length && (changed.codes[at] as number) < code; at++) {
      const successor = changed.successors[at] as number
      if (successor !== noSuccessor) folded.push([changed.codes[at] as number, successor])
    }
  }
  for (let known = 0; known < base.codes.length; known++) {
    const code = base.codes[known] as number
    addChangedBelow(code)
    if (changed.codes[at] !== code) folded.push([code, base.replacedBy[known] as number])
  }
  addChangedBelow(Number.POSITIVE_INFINITY)
  return successorsOf(folded, arrays)
}

/** The same addresses, of the new ids. */
const foldAddresses = (
  base: AddressIndex,
  changed: ChangedUnits,
  ranks: Uint32Array,
  size: number,
  arrays: Arrays
): AddressIndex => {
  const idOf = new Uint32Array(base.units.length)
  forEachUnit(changed, ranks, size, (id, inBase, inChanged) => {
    if (inChanged < 0 || changed.isAdded[inChanged] === false) idOf[inBase] = id
  })
  const units = arrays.uint32s(base.units.length)
  for (let at = 0; at < units.length; at++) units[at] = idOf[base.units[at] as number] as number
  return { ...base, units }
}

/** The locations of the units, by id. */
const foldPoints = (base: SpatialIndex, changed: ChangedUnits, ranks: Uint32Array, size: number) => {
  const lats_e7 = new Int32Array(size)
  const lons_e7 = new Int32Array(size)
  forEachUnit(changed, ranks, size, (id, inBase, inChanged) => {
    lats_e7[id] = inChanged < 0 ? latOf_e7(base, inBase) : (changed.lats_e7[inChanged] as number)
    lons_e7[id] = inChanged < 0 ? lonOf_e7(base, inBase) : (changed.lons_e7[inChanged] as number)
  })
  return { lats_e7, lons_e7 }
}

/**
 * Inserts the added units into the first `count` codes, from the end, so that no second array is needed. Returns the
 * rank of each changed unit.
 */
const insertCodes = (codes: Float64Array, count: number, changed: ChangedUnits): Uint32Array => {
  const ranks = new Uint32Array(changed.codes.length)
  let from = count - 1
  let to = codes.length - 1
  for (let at = ranks.length - 1; at >= 0; at--) {
    const code = changed.codes[at] as number
    while (from >= 0 && (codes[from] as number) > code) codes[to--] = codes[from--] as number
    if (changed.isAdded[at] === false) from--
    ranks[at] = to
    codes[to--] = code
  }
  return ranks
}

/**
 * Visits all units by id, each with its id in the base and its rank among the changed units, −1 if it did not change.
 */
const forEachUnit = (
  changed: ChangedUnits,
  ranks: Uint32Array,
  size: number,
  visit: (id: number, inBase: number, inChanged: number) => void
): void => {
  let inBase = 0
  let at = 0
  for (let id = 0; id < size; id++) {
    if (ranks[at] !== id) visit(id, inBase++, -1)
    else {
      visit(id, inBase, at)
      if (changed.isAdded[at] === false) inBase++
      at++
    }
  }
}
