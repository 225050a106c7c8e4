/** States of units after changes, as columns: they are copied fast, and can be sent to other threads. */

import type { Postcode } from "../../postcode/Postcode.ts"
import type { UnitState } from "../changes/UnitChange.ts"
import { active, retired } from "../codes/AreaUnits.ts"
import { pack } from "../codes/PackedCode.ts"
import { noSuccessor } from "../codes/Successors.ts"
import { toE7 } from "../space/Coordinate.ts"

/** Distinct units in code order. */
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

/** The columns of some states. If a unit is repeated, the last state counts. */
export const unitStatesOf = (units: ReadonlyArray<UnitPlace>): UnitStates => {
  const codes = Float64Array.from(units, ({ postcode }) => pack(postcode))
  const order = Array.from(codes.keys())
    .sort((a, b) => (codes[a] as number) - (codes[b] as number) || a - b)
    .filter((at, rank, sorted) => codes[at] !== codes[sorted[rank + 1] ?? -1])
  const states = emptyStates(order.length)
  for (const [rank, at] of order.entries()) {
    const { active: isActive, coordinate, replaced_by } = units[at] as UnitPlace
    states.codes[rank] = codes[at] as number
    states.lats_e7[rank] = toE7(coordinate.lat)
    states.lons_e7[rank] = toE7(coordinate.lon)
    states.statuses[rank] = isActive ? active : retired
    states.successors[rank] = replaced_by === undefined ? noSuccessor : pack(replaced_by)
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

/** The same states in parts of at most so many units, as views. */
export function* partsOf(states: UnitStates, maxUnits: number): Generator<UnitStates> {
  for (let start = 0; start < states.codes.length; start += maxUnits) {
    const end = start + maxUnits
    yield {
      codes: states.codes.subarray(start, end),
      lats_e7: states.lats_e7.subarray(start, end),
      lons_e7: states.lons_e7.subarray(start, end),
      statuses: states.statuses.subarray(start, end),
      successors: states.successors.subarray(start, end)
    }
  }
}
