/**
 * The layers of a directory. The lowest is a whole edition. Each layer above has the current state of units that
 * changed since, and supersedes the layers below for their postcodes.
 */

import type { Postcode } from "../../postcode/Postcode.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"
import { absent, active } from "../codes/AreaUnits.ts"
import { clearBit, emptyBits, setBit } from "../codes/BitSet.ts"
import { firstFrom, identity } from "../codes/CodeOrder.ts"
import { unpack } from "../codes/PackedCode.ts"
import { type Successors, successorIn } from "../codes/Successors.ts"
import { isActiveId, packedOf, postcodeOf, type TreeIndex } from "../codes/TreeIndex.ts"
import { buildSpatialIndex, hideUnit, latOf_e7, lonOf_e7, type SpatialIndex } from "../space/SpatialIndex.ts"
import {
  addToFilter,
  areaKey,
  type ChangeFilter,
  emptyFilter,
  isNear,
  mayHoldCode,
  mayHoldNear
} from "./ChangeFilter.ts"
import { emptyStates, type UnitStates } from "./UnitStates.ts"

/** The units of a layer, by their ids in the layer. */
export interface Layer {
  readonly spatial: SpatialIndex
  readonly postcodeOf: (id: number) => Postcode
  /** The packed code. */
  readonly codeOf: (id: number) => number
  readonly isActive: (id: number) => boolean
  readonly latOf_e7: (id: number) => number
  readonly lonOf_e7: (id: number) => number
  /** The packed code of the unit's successor, or `noSuccessor`. */
  readonly successorOf: (id: number) => number
}

/** The lowest layer: the edition. */
export class BaseLayer implements Layer {
  readonly spatial: SpatialIndex
  private readonly index: TreeIndex
  private readonly successors: Successors

  constructor(index: TreeIndex, spatial: SpatialIndex, successors: Successors) {
    this.index = index
    this.spatial = spatial
    this.successors = successors
  }

  postcodeOf(id: number): Postcode {
    return postcodeOf(this.index, id)
  }

  codeOf(id: number): number {
    return packedOf(this.index, id)
  }

  isActive(id: number): boolean {
    return isActiveId(this.index, id)
  }

  latOf_e7(id: number): number {
    return latOf_e7(this.spatial, id)
  }

  lonOf_e7(id: number): number {
    return lonOf_e7(this.spatial, id)
  }

  successorOf(id: number): number {
    return successorIn(this.successors, this.codeOf(id))
  }
}

/** Distinct changed units in code order, as columns. */
export interface ChangedUnits extends UnitStates {
  /** The status of each in the layers below: `absent`, `retired` or `active`. */
  readonly statusesBelow: Uint8Array
}

/**
 * A layer of changes. A unit's rank in `changed` is its id in the layer.
 *
 * Every change creates another layer of recent units. So small layers have no filter, and the spatial index is built at
 * the first search that needs it.
 */
export class ChangeLayer implements Layer {
  readonly changed: ChangedUnits
  /** Number of units that the layers below do not have. */
  readonly added: number
  /** Difference to the number of active units. */
  readonly activated: number
  private readonly filter: ChangeFilter | undefined
  private madeSpatial: SpatialIndex | undefined
  /** Units that were hidden before the spatial index was needed. */
  private hidden: Array<number> = []

  constructor(changed: ChangedUnits) {
    const { statuses, statusesBelow } = changed
    if (statuses.length > maxUnfiltered) {
      this.filter = emptyFilter(statuses.length)
      addAllToFilter(this.filter, changed)
    }
    let added = 0
    let activated = 0
    for (let id = 0; id < statuses.length; id++) {
      if (statusesBelow[id] === absent) added++
      activated += (statuses[id] === active ? 1 : 0) - (statusesBelow[id] === active ? 1 : 0)
    }
    this.changed = changed
    this.added = added
    this.activated = activated
  }

  get size(): number {
    return this.changed.codes.length
  }

  get spatial(): SpatialIndex {
    if (this.madeSpatial === undefined) {
      const { lats_e7, lons_e7, statuses } = this.changed
      const visible = activeBits(statuses)
      for (const id of this.hidden) clearBit(visible, id)
      this.hidden = []
      this.madeSpatial = buildSpatialIndex(identity(this.size), lons_e7, lats_e7, visible)
    }
    return this.madeSpatial
  }

  /** Clears the visibility bit of a unit. */
  hide(id: number): void {
    if (this.madeSpatial === undefined) this.hidden.push(id)
    else hideUnit(this.madeSpatial, id)
  }

  postcodeOf(id: number): Postcode {
    return unpack(this.codeOf(id))
  }

  codeOf(id: number): number {
    return this.changed.codes[id] as number
  }

  isActive(id: number): boolean {
    return this.changed.statuses[id] === active
  }

  latOf_e7(id: number): number {
    return this.changed.lats_e7[id] as number
  }

  lonOf_e7(id: number): number {
    return this.changed.lons_e7[id] as number
  }

  successorOf(id: number): number {
    return this.changed.successors[id] as number
  }

  /** The id of a packed code in this layer, or −1. */
  find(code: number): number {
    if (this.filter !== undefined && !mayHoldCode(this.filter, code)) return -1
    const { codes } = this.changed
    const id = firstFrom(codes, code)
    return id < codes.length && codes[id] === code ? id : -1
  }

  /** Writes the statuses of an area's units that are in this layer, by the value of the unit segment. */
  writeStatuses(area: number, into: Uint8Array): void {
    if (this.filter !== undefined && !mayHoldCode(this.filter, areaKey(area))) return
    const { codes, statuses } = this.changed
    const firstCode = area * segmentValues.unit
    for (let id = firstFrom(codes, firstCode); id < codes.length; id++) {
      const unit = (codes[id] as number) - firstCode
      if (unit >= segmentValues.unit) return
      into[unit] = statuses[id] as number
    }
  }

  /** Whether a unit may lie in the circle set by `aimAt`. */
  mayHoldNear(): boolean {
    if (this.filter !== undefined) return mayHoldNear(this.filter)
    const { lats_e7, lons_e7 } = this.changed
    return lats_e7.some((lat_e7, id) => isNear(lat_e7, lons_e7[id] as number))
  }
}

/** Below about this number of units a search in the units is as fast as a filter. */
const maxUnfiltered = 64

export const addAllToFilter = (filter: ChangeFilter, { codes, lats_e7, lons_e7 }: ChangedUnits): void => {
  for (let at = 0; at < codes.length; at++) {
    addToFilter(filter, codes[at] as number, lats_e7[at] as number, lons_e7[at] as number)
  }
}

/** Merges two lists of changed units. The newer one supersedes the older. */
export const mergeChanges = (older: ChangedUnits, newer: ChangedUnits): ChangedUnits => {
  const merged = emptyChanges(older.codes.length + newer.codes.length)
  let count = 0
  let old = 0
  for (let fresh = 0; fresh < newer.codes.length; fresh++) {
    const code = newer.codes[fresh] as number
    while (old < older.codes.length && (older.codes[old] as number) < code) copyChange(older, old++, merged, count++)
    copyChange(newer, fresh, merged, count)
    if (old < older.codes.length && older.codes[old] === code) {
      merged.statusesBelow[count] = older.statusesBelow[old++] as number
    }
    count++
  }
  while (old < older.codes.length) copyChange(older, old++, merged, count++)
  return firstChanges(merged, count)
}

export const emptyChanges = (count: number): ChangedUnits => ({
  ...emptyStates(count),
  statusesBelow: new Uint8Array(count)
})

const firstChanges = (changed: ChangedUnits, count: number): ChangedUnits =>
  count === changed.codes.length
    ? changed
    : {
        codes: changed.codes.slice(0, count),
        lats_e7: changed.lats_e7.slice(0, count),
        lons_e7: changed.lons_e7.slice(0, count),
        statuses: changed.statuses.slice(0, count),
        statusesBelow: changed.statusesBelow.slice(0, count),
        successors: changed.successors.slice(0, count)
      }

const copyChange = (from: ChangedUnits, at: number, to: ChangedUnits, place: number): void => {
  to.codes[place] = from.codes[at] as number
  to.lats_e7[place] = from.lats_e7[at] as number
  to.lons_e7[place] = from.lons_e7[at] as number
  to.statuses[place] = from.statuses[at] as number
  to.statusesBelow[place] = from.statusesBelow[at] as number
  to.successors[place] = from.successors[at] as number
}

const activeBits = (statuses: Uint8Array): Uint8Array => {
  const bits = emptyBits(statuses.length)
  for (let id = 0; id < statuses.length; id++) if (statuses[id] === active) setBit(bits, id)
  return bits
}
