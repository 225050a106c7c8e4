/**
 * The changes since an edition, as a log: a row has the state of a unit after a change. Rows are only appended, so a
 * version of the directory is the edition and the first rows of the log. All versions share the log, and a change costs
 * about a microsecond, however many there are.
 */
import { segmentValues } from "../../postcode/SegmentValue.ts"
import { absent, active } from "../codes/AreaUnits.ts"
import { RowChains } from "./RowChains.ts"
import { tileOf } from "./Tiles.ts"
import { copyStates, emptyStates, type UnitStates } from "./UnitStates.ts"

export class ChangeLog {
  /** Number of rows. */
  length = 0
  /** Number of units that the edition does not have. */
  added = 0
  /** Difference to the edition's number of active units. */
  activated = 0
  /** The rows, and space for more. */
  states: UnitStates = emptyStates(64)
  readonly byUnit = new RowChains((row) => this.codeAt(row))
  readonly byArea = new RowChains((row) => Math.floor(this.codeAt(row) / segmentValues.unit))
  readonly byDistrict = new RowChains((row) => Math.floor(this.codeAt(row) / unitsPerDistrict))
  readonly byTile = new RowChains((row) =>
    tileOf(this.states.lats_e7[row] as number, this.states.lons_e7[row] as number)
  )
  private readonly hideInEdition: (code: number) => number
  /** By row: the unit's next row, or `notSuperseded`. */
  private supersededBy = new Int32Array(64)

  /**
   * @param hideInEdition called with the packed code of each unit that changes for the first time: hides the unit from
   *   searches in the edition, and returns the status that it has there
   */
  constructor(hideInEdition: (code: number) => number) {
    this.hideInEdition = hideInEdition
  }

  /** Appends a row for each state. Returns the packed codes of the units that became active, or no longer are. */
  append(states: UnitStates): ReadonlyArray<number> {
    const { codes, statuses } = states
    this.makeRoom(codes.length)
    copyStates(states, this.states, this.length)
    const touched: Array<number> = []
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] as number
      const before = this.supersede(code)
      if (before === absent) this.added++
      const difference = +(statuses[at] === active) - +(before === active)
      this.activated += difference
      if (difference !== 0) touched.push(code)
      for (const chains of [this.byUnit, this.byArea, this.byDistrict, this.byTile]) chains.add()
      this.length++
    }
    return touched
  }

  /** The last of the first `end` rows that is about a unit, or −1. */
  find(code: number, end: number): number {
    let row = this.byUnit.newest(code)
    while (row >= end) row = this.byUnit.before(row, code)
    return row
  }

  /** Whether a row is the last one about its unit among the first `end` rows. */
  isCurrent(row: number, end: number): boolean {
    return row < end && (this.supersededBy[row] as number) >= end
  }

  /** Makes the next row the last one of a unit. Returns the status before. */
  private supersede(code: number): number {
    const last = this.byUnit.newest(code)
    this.supersededBy[this.length] = notSuperseded
    if (last < 0) return this.hideInEdition(code)
    this.supersededBy[last] = this.length
    return this.states.statuses[last] as number
  }

  private codeAt(row: number): number {
    return this.states.codes[row] as number
  }

  private makeRoom(more: number): void {
    const { length, states, supersededBy } = this
    if (length + more <= supersededBy.length) return
    const capacity = Math.max(2 * supersededBy.length, length + more)
    this.states = emptyStates(capacity)
    this.supersededBy = new Int32Array(capacity)
    copyStates(states, this.states, 0)
    this.supersededBy.set(supersededBy)
  }
}

const unitsPerDistrict = segmentValues.area * segmentValues.unit

const notSuperseded = 2 ** 31 - 1
