/** States of units after changes, as columns: they are copied fast, and can be sent to other threads. */

import type { Postcode } from "../../postcode/Postcode.ts"
import type { UnitState } from "../changes/UnitChange.ts"
import { active, retired } from "../codes/AreaUnits.ts"
import { pack } from "../codes/PackedCode.ts"
import { noSuccessor } from "../codes/Successors.ts"
import { toE7 } from "../space/Coordinate.ts"

/** States in the order of the changes: the last state of a unit counts. */
export interface UnitStates {
  /** Packed. */
  readonly codes: Float64Array
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
  /** `retired` or `active`. */
  readonly statuses: Uint8Array
  /** The packed code of the successor, or `noSuccessor`. */
  readonly successors: Float64Array
}

/** The state of a unit without attributes, which are stored elsewhere. */
export interface UnitPlace extends Pick<UnitState, "active" | "coordinate" | "postcode"> {
  readonly replaced_by?: Postcode | undefined
}

/** The columns of some states. */
export const unitStatesOf = (units: ReadonlyArray<UnitPlace>): UnitStates => {
  const states = emptyStates(units.length)
  for (const [at, { active: isActive, coordinate, postcode, replaced_by }] of units.entries()) {
    states.codes[at] = pack(postcode)
    states.lats_e7[at] = toE7(coordinate.lat)
    states.lons_e7[at] = toE7(coordinate.lon)
    states.statuses[at] = isActive ? active : retired
    states.successors[at] = replaced_by === undefined ? noSuccessor : pack(replaced_by)
  }
  return states
}

/** Space for the states of this many units. */
export const emptyStates = (count: number): UnitStates => ({
  codes: new Float64Array(count),
  lats_e7: new Int32Array(count),
  lons_e7: new Int32Array(count),
  statuses: new Uint8Array(count),
  successors: new Float64Array(count)
})

/** Copies all states into others, from a position on. */
export const copyStates = (from: UnitStates, to: UnitStates, position: number): void => {
  to.codes.set(from.codes, position)
  to.lats_e7.set(from.lats_e7, position)
  to.lons_e7.set(from.lons_e7, position)
  to.statuses.set(from.statuses, position)
  to.successors.set(from.successors, position)
}

/** A copy of the states from `start` (inclusive) to `end` (exclusive). */
export const partOf = (states: UnitStates, start: number, end: number): UnitStates => ({
  codes: states.codes.slice(start, end),
  lats_e7: states.lats_e7.slice(start, end),
  lons_e7: states.lons_e7.slice(start, end),
  statuses: states.statuses.slice(start, end),
  successors: states.successors.slice(start, end)
})

/** The same states in parts of at most so many units. */
export function* partsOf(states: UnitStates, maxUnits: number): Generator<UnitStates> {
  for (let start = 0; start < states.codes.length; start += maxUnits) {
    yield partOf(states, start, start + maxUnits)
  }
}
