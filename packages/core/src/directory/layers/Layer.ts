/** The layers of a directory: an edition, and the changes since. */

import type { Postcode } from "../../postcode/Postcode.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"
import { active } from "../codes/AreaUnits.ts"
import { unpack } from "../codes/PackedCode.ts"
import { type Successors, successorIn } from "../codes/Successors.ts"
import { isActiveId, packedOf, postcodeOf, type TreeIndex } from "../codes/TreeIndex.ts"
import { offerUnit } from "../space/BoundedSearch.ts"
import type { Coordinate } from "../space/Coordinate.ts"
import { latOf_e7, lonOf_e7, type SpatialIndex } from "../space/SpatialIndex.ts"
import type { ChangeLog } from "./ChangeLog.ts"
import type { RowChains } from "./RowChains.ts"
import { tileAt, tilesAround } from "./Tiles.ts"
import { partOf, type UnitStates } from "./UnitStates.ts"

/** The units of a layer, by their ids in the layer. */
export interface Layer {
  readonly postcodeOf: (id: number) => Postcode
  /** The packed code. */
  readonly codeOf: (id: number) => number
  readonly isActive: (id: number) => boolean
  readonly latOf_e7: (id: number) => number
  readonly lonOf_e7: (id: number) => number
  /** The packed code of the unit's successor, or `noSuccessor`. */
  readonly successorOf: (id: number) => number
}

/** The edition. */
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

/** The rows of a log up to now. A row's number is its id in the layer. Only the last row about a unit is current. */
export class ChangeLayer implements Layer {
  /** Number of rows. */
  readonly size: number
  /** Number of units that the edition does not have. */
  readonly added: number
  /** Difference to the number of active units. */
  readonly activated: number
  private readonly log: ChangeLog

  constructor(log: ChangeLog) {
    this.log = log
    this.size = log.length
    this.added = log.added
    this.activated = log.activated
  }

  /** Whether the log has no later rows. */
  get isNewest(): boolean {
    return this.size === this.log.length
  }

  /** A copy of the rows. */
  states(): UnitStates {
    return partOf(this.log.states, 0, this.size)
  }

  postcodeOf(id: number): Postcode {
    return unpack(this.codeOf(id))
  }

  codeOf(id: number): number {
    return this.log.states.codes[id] as number
  }

  isActive(id: number): boolean {
    return this.log.states.statuses[id] === active
  }

  latOf_e7(id: number): number {
    return this.log.states.lats_e7[id] as number
  }

  lonOf_e7(id: number): number {
    return this.log.states.lons_e7[id] as number
  }

  successorOf(id: number): number {
    return this.log.states.successors[id] as number
  }

  /** The id of a packed code in this layer, or −1. */
  find(code: number): number {
    return this.log.find(code, this.size)
  }

  /** The current ids of an area's units, in no order. */
  idsInArea(area: number): ReadonlyArray<number> {
    return this.currentIds(this.log.byArea, area)
  }

  /** The current ids of a district's units, in no order. */
  idsInDistrict(district: number): ReadonlyArray<number> {
    return this.currentIds(this.log.byDistrict, district)
  }

  /** Writes the statuses of an area's units that are in this layer, by the value of the unit segment. */
  writeStatuses(area: number, into: Uint8Array): void {
    for (const id of this.idsInArea(area)) {
      into[this.codeOf(id) % segmentValues.unit] = this.log.states.statuses[id] as number
    }
  }

  /**
   * Adds the active units in a circle to the current search.
   *
   * @param firstId added to the ids
   */
  searchNear(center: Coordinate, radius_m: number, firstId: number): void {
    const tiles = tilesAround(center, radius_m, this.size)
    if (tiles === undefined) {
      for (let id = 0; id < this.size; id++) this.offer(id, firstId)
      return
    }
    const { byTile } = this.log
    for (let row = tiles.south; row <= tiles.north; row++) {
      for (let column = tiles.west; column <= tiles.east; column++) {
        const tile = tileAt(row, column)
        for (let id = byTile.newest(tile); id >= 0; id = byTile.before(id, tile)) this.offer(id, firstId)
      }
    }
  }

  private offer(id: number, firstId: number): void {
    if (!this.log.isCurrent(id, this.size) || !this.isActive(id)) return
    offerUnit(firstId + id, this.lonOf_e7(id), this.latOf_e7(id))
  }

  private currentIds(chains: RowChains, key: number): ReadonlyArray<number> {
    const ids: Array<number> = []
    for (let id = chains.newest(key); id >= 0; id = chains.before(id, key)) {
      if (this.log.isCurrent(id, this.size)) ids.push(id)
    }
    return ids
  }
}
