/**
 * The layers that a directory consists of. The lowest holds a whole edition; each layer above it holds units that
 * were changed since, as they are now, and supersedes those below it for their postcodes.
 */

import type { Postcode } from "../../postcode/Postcode.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"
import { absent, active } from "../codes/AreaUnits.ts"
import { emptyBits, setBit } from "../codes/BitSet.ts"
import { firstFrom, identity } from "../codes/CodeOrder.ts"
import { unpack } from "../codes/PackedCode.ts"
import { isActiveId, packedOf, postcodeOf, type TreeIndex } from "../codes/TreeIndex.ts"
import { buildSpatialIndex, latOf_e7, lonOf_e7, type SpatialIndex } from "../space/SpatialIndex.ts"
import {
  addToFilter,
  areaKey,
  type ChangeFilter,
  emptyFilter,
  isNear,
  mayHoldCode,
  mayHoldNear
} from "./ChangeFilter.ts"

/** What can be asked of a layer about its units, by their ids in the layer. */
export interface Layer {
  readonly spatial: SpatialIndex
  readonly postcodeOf: (id: number) => Postcode
  /** The packed code. */
  readonly codeOf: (id: number) => number
  readonly isActive: (id: number) => boolean
  readonly latOf_e7: (id: number) => number
  readonly lonOf_e7: (id: number) => number
}

/** The lowest layer: the edition. */
export class BaseLayer implements Layer {
  readonly spatial: SpatialIndex
  private readonly index: TreeIndex

  constructor(index: TreeIndex, spatial: SpatialIndex) {
    this.index = index
    this.spatial = spatial
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
}

/** A layer of changes. A unit's rank in `changed` is its id in the layer. */
export interface ChangeLayer extends Layer {
  readonly changed: ChangedUnits
  readonly size: number
  /** How many of its units the layers below do not have. */
  readonly added: number
  /** By how many it changes the number of active units. */
  readonly activated: number
  /** The id of a packed code in this layer, or −1. */
  readonly find: (code: number) => number
  /** Writes the statuses of an area's units that are in this layer, by the value of the unit segment. */
  readonly writeStatuses: (area: number, statuses: Uint8Array) => void
  /** Whether a unit may lie in the circle that `aimAt` took aim at. */
  readonly mayHoldNear: () => boolean
}

/** A unit as a change leaves it. */
export interface ChangedUnit {
  /** Packed. */
  readonly code: number
  readonly lat_e7: number
  readonly lon_e7: number
  /** `retired` or `active`. */
  readonly status: number
  /** What it is in the layers below: `absent`, `retired` or `active`. */
  readonly statusBelow: number
}

/** Changed units in code order, each there once, as columns. */
export interface ChangedUnits {
  readonly codes: Float64Array
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
  readonly statuses: Uint8Array
  readonly statusesBelow: Uint8Array
}

/** The changes of some time. The spatial index is made when it is first asked for, which may be never. */
export class TierLayer implements ChangeLayer {
  readonly changed: ChangedUnits
  readonly added: number
  readonly activated: number
  private readonly filter: ChangeFilter
  private madeSpatial: SpatialIndex | undefined

  constructor(changed: ChangedUnits) {
    const { statuses, statusesBelow } = changed
    this.filter = emptyFilter(statuses.length)
    addAllToFilter(this.filter, changed)
    let added = 0
    let activated = 0
    for (let id = 0; id < statuses.length; id++) {
      if (statusesBelow[id] === absent) added++
      activated += activation(statuses[id], statusesBelow[id])
    }
    this.changed = changed
    this.added = added
    this.activated = activated
  }

  get size(): number {
    return this.changed.codes.length
  }

  get spatial(): SpatialIndex {
    const { lats_e7, lons_e7, statuses } = this.changed
    this.madeSpatial ??= buildSpatialIndex(identity(this.size), lons_e7, lats_e7, activeBits(statuses))
    return this.madeSpatial
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

  find(code: number): number {
    if (!mayHoldCode(this.filter, code)) return -1
    const { codes } = this.changed
    const id = firstFrom(codes, code)
    return id < codes.length && codes[id] === code ? id : -1
  }

  writeStatuses(area: number, into: Uint8Array): void {
    if (!mayHoldCode(this.filter, areaKey(area))) return
    const { codes, statuses } = this.changed
    const firstCode = area * segmentValues.unit
    for (let id = firstFrom(codes, firstCode); id < codes.length; id++) {
      const unit = (codes[id] as number) - firstCode
      if (unit >= segmentValues.unit) return
      into[unit] = statuses[id] as number
    }
  }

  mayHoldNear(): boolean {
    return mayHoldNear(this.filter)
  }
}

/**
 * The last few changes. Another one of these is made at each change, and few questions are about what changed just
 * before: so it is no more than a list, unless it is asked for more.
 */
export class RecentLayer implements ChangeLayer {
  readonly units: ReadonlyArray<ChangedUnit>
  readonly added: number
  readonly activated: number
  private made: TierLayer | undefined

  constructor(units: ReadonlyArray<ChangedUnit>) {
    let added = 0
    let activated = 0
    for (const { status, statusBelow } of units) {
      if (statusBelow === absent) added++
      activated += activation(status, statusBelow)
    }
    this.units = units
    this.added = added
    this.activated = activated
  }

  get size(): number {
    return this.units.length
  }

  get changed(): ChangedUnits {
    return this.indexed.changed
  }

  get spatial(): SpatialIndex {
    return this.indexed.spatial
  }

  postcodeOf(id: number): Postcode {
    return unpack(this.codeOf(id))
  }

  codeOf(id: number): number {
    return this.at(id).code
  }

  isActive(id: number): boolean {
    return this.at(id).status === active
  }

  latOf_e7(id: number): number {
    return this.at(id).lat_e7
  }

  lonOf_e7(id: number): number {
    return this.at(id).lon_e7
  }

  find(code: number): number {
    return this.units.findIndex((unit) => unit.code === code)
  }

  writeStatuses(area: number, into: Uint8Array): void {
    const firstCode = area * segmentValues.unit
    for (const { code, status } of this.units) {
      if (code >= firstCode && code < firstCode + segmentValues.unit) into[code - firstCode] = status
    }
  }

  mayHoldNear(): boolean {
    return this.units.some(({ lat_e7, lon_e7 }) => isNear(lat_e7, lon_e7))
  }

  private at(id: number): ChangedUnit {
    return this.units[id] as ChangedUnit
  }

  private get indexed(): TierLayer {
    this.made ??= new TierLayer(columnsOf(this.units))
    return this.made
  }
}

export const addAllToFilter = (filter: ChangeFilter, { codes, lats_e7, lons_e7 }: ChangedUnits): void => {
  for (let at = 0; at < codes.length; at++) {
    addToFilter(filter, codes[at] as number, lats_e7[at] as number, lons_e7[at] as number)
  }
}

/** Both lists together as one: the newer one supersedes the older. */
export const mergeRecent = (
  older: ReadonlyArray<ChangedUnit>,
  newer: ReadonlyArray<ChangedUnit>
): ReadonlyArray<ChangedUnit> => {
  const merged: Array<ChangedUnit> = new Array(older.length + newer.length)
  let count = 0
  let old = 0
  for (const unit of newer) {
    while (old < older.length && (older[old] as ChangedUnit).code < unit.code)
      merged[count++] = older[old++] as ChangedUnit
    const superseded = older[old]
    const isNew = superseded?.code !== unit.code
    merged[count++] = isNew ? unit : { ...unit, statusBelow: superseded.statusBelow }
    if (!isNew) old++
  }
  while (old < older.length) merged[count++] = older[old++] as ChangedUnit
  merged.length = count
  return merged
}

/** The same for columns. */
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

export const columnsOf = (units: ReadonlyArray<ChangedUnit>): ChangedUnits => {
  const columns = emptyChanges(units.length)
  for (let at = 0; at < units.length; at++) {
    const { code, lat_e7, lon_e7, status, statusBelow } = units[at] as ChangedUnit
    columns.codes[at] = code
    columns.lats_e7[at] = lat_e7
    columns.lons_e7[at] = lon_e7
    columns.statuses[at] = status
    columns.statusesBelow[at] = statusBelow
  }
  return columns
}

export const emptyChanges = (count: number): ChangedUnits => ({
  codes: new Float64Array(count),
  lats_e7: new Int32Array(count),
  lons_e7: new Int32Array(count),
  statuses: new Uint8Array(count),
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
        statusesBelow: changed.statusesBelow.slice(0, count)
      }

const copyChange = (from: ChangedUnits, at: number, to: ChangedUnits, place: number): void => {
  to.codes[place] = from.codes[at] as number
  to.lats_e7[place] = from.lats_e7[at] as number
  to.lons_e7[place] = from.lons_e7[at] as number
  to.statuses[place] = from.statuses[at] as number
  to.statusesBelow[place] = from.statusesBelow[at] as number
}

const activation = (status: number | undefined, statusBelow: number | undefined): number =>
  (status === active ? 1 : 0) - (statusBelow === active ? 1 : 0)

const activeBits = (statuses: Uint8Array): Uint8Array => {
  const bits = emptyBits(statuses.length)
  for (let id = 0; id < statuses.length; id++) if (statuses[id] === active) setBit(bits, id)
  return bits
}
