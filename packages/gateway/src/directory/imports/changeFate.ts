/**
 * Decides about a changed unit when another edition replaces the one that was changed: a three-way comparison of the
 * unit's states.
 */

import { type AttributeChanges, isSameState, type UnitChange, type UnitState } from "@postcode/core/Changes"
import { toE7 } from "@postcode/core/Coordinate"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** A changed unit in both editions; undefined where an edition does not have it. */
export interface UnitAcrossEditions {
  /** In the old edition, without changes. */
  readonly before: UnitState | undefined
  /** In the old edition, with all changes. */
  readonly changed: UnitState
  /** In the new edition. */
  readonly after: UnitState | undefined
}

/**
 * - `contained`: the new edition has the unit as it was changed.
 * - `undone`: the new edition has the unit as it was before the changes.
 * - `superseded`: the new edition has the unit in a third state.
 */
export type ChangeFate = "contained" | "undone" | "superseded"

/** The fate of the changes of a unit. Coordinates are equal if their fixed-point forms are. */
export const changeFate = ({ after, before, changed }: UnitAcrossEditions): ChangeFate => {
  if (isSame(after, changed)) return "contained"
  return isSame(after, before) ? "undone" : "superseded"
}

/** The fewest changes that bring a unit from one state to another; `add` if it does not exist yet. */
export const changesBetween = (from: UnitState | undefined, to: UnitState): ReadonlyArray<UnitChange> => {
  const { active, attributes, coordinate, postcode, replaced_by } = to
  const successor = replaced_by === undefined ? undefined : { replaced_by }
  if (from === undefined) return [{ change: "add", postcode, coordinate, active, attributes, ...successor }]
  const changes: Array<UnitChange> = []
  if (!isSamePoint(from, to)) changes.push({ change: "move", postcode, coordinate })
  if (from.active !== active || from.replaced_by !== replaced_by) {
    // No other change removes a successor.
    if (active || (from.replaced_by !== undefined && replaced_by === undefined)) {
      changes.push({ change: "reactivate", postcode })
    }
    if (!active)
      changes.push(successor ? { change: "replace", postcode, ...successor } : { change: "retire", postcode })
  }
  const set = attributeChanges(from.attributes, attributes)
  if (Object.keys(set).length > 0) changes.push({ change: "set", postcode, attributes: set })
  return changes
}

const isSame = (a: UnitState | undefined, b: UnitState | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isSameState(a, b)

const isSamePoint = ({ coordinate: a }: UnitState, { coordinate: b }: UnitState): boolean =>
  toE7(a.lat) === toE7(b.lat) && toE7(a.lon) === toE7(b.lon)

const attributeChanges = (from: UnitAttributes, to: UnitAttributes): AttributeChanges => {
  const names = Object.keys({ ...from, ...to }) as ReadonlyArray<keyof UnitAttributes>
  return Object.fromEntries(names.filter((name) => from[name] !== to[name]).map((name) => [name, to[name] ?? null]))
}
