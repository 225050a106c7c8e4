/**
 * The decision on a batch of changes: all of them have an effect or repeat the current state, or the batch has faults.
 * Stores read the states of the units that a batch names, ask this, and write.
 */

import type { UnitAttributes } from "../../levels/UnitAttributes.ts"
import { isCanonical, type Postcode } from "../../postcode/Postcode.ts"
import { removalKind } from "../Removals.ts"
import { type Coordinate, fromE7, toE7 } from "../space/Coordinate.ts"
import { changeFault } from "./changeFault.ts"
import {
  type AttributeChanges,
  type ChangeFault,
  type ChangeKind,
  type UnitChange,
  type UnitState,
  withAttributes
} from "./UnitChange.ts"

/** A change with an effect. */
export interface DecidedChange {
  readonly kind: ChangeKind
  /** The unit after the change. */
  readonly unit: UnitState
}

/** The changes of a batch as they will be applied, or the faults of the batch. */
export type ChangeDecision =
  | {
      readonly ok: true
      /** In the order of the batch. */
      readonly changes: ReadonlyArray<DecidedChange>
      /** Number of changes that repeat the current state. */
      readonly unchanged: number
      /** Number of active units that the batch retires, or moves by more than `farMove_m`. */
      readonly removals: number
    }
  /** All faults, in the order of the batch. */
  | { readonly ok: false; readonly faults: ReadonlyArray<ChangeFault> }

/**
 * Checks changes in order, each against the units after the changes before it. An invalid change has no effect on those
 * after it.
 *
 * @param stateOf the current state of a unit, undefined if there is none; called at most once for each postcode
 */
export const decideChanges = (
  stateOf: (postcode: Postcode) => UnitState | undefined,
  changes: ReadonlyArray<UnitChange>
): ChangeDecision => {
  const first = new Map<Postcode, UnitState | undefined>()
  const states = new Map<Postcode, UnitState>()
  const decided: Array<DecidedChange> = []
  const faults: Array<ChangeFault> = []
  for (const [index, change] of changes.entries()) {
    const fault = changeFault(change)
    if (fault !== undefined) {
      faults.push({ index, reason: fault })
      continue
    }
    const { change: kind, postcode } = change
    if (!first.has(postcode)) first.set(postcode, stateOf(postcode))
    const before = states.get(postcode) ?? first.get(postcode)
    const after = stateAfter(before, change)
    if (typeof after === "string") faults.push({ index, reason: after })
    else if (after !== before) {
      states.set(postcode, after)
      decided.push({ kind, unit: after })
    }
  }
  if (faults.length > 0) return { ok: false, faults }
  const taken = [...states].filter(([postcode, after]) => removalKind(first.get(postcode), after) !== undefined)
  return { ok: true, changes: decided, unchanged: changes.length - decided.length, removals: taken.length }
}

/** The distinct postcodes whose states a decision needs. */
export const postcodesOf = (changes: ReadonlyArray<UnitChange>): ReadonlyArray<Postcode> => [
  ...new Set(changes.flatMap((change) => (isCanonical(change?.postcode) ? [change.postcode] : [])))
]

/** The state after a well-formed change: `before` itself if it has no effect. A text is the fault. */
const stateAfter = (before: UnitState | undefined, change: UnitChange): UnitState | string => {
  const after = before === undefined ? added(change) : changed(before, change)
  if (after === undefined) return "postcode: no unit has it; add it first"
  if (before === undefined || isSameState(before, after)) return before ?? after
  return change.change === "add" ? existing(before, after) : after
}

const added = (change: UnitChange): UnitState | undefined =>
  change.change === "add"
    ? stateWith(change.postcode, change.coordinate, change.active ?? true, change.replaced_by, change.attributes ?? {})
    : undefined

const changed = (before: UnitState, change: UnitChange): UnitState => {
  const { active, attributes, coordinate, postcode, replaced_by } = before
  switch (change.change) {
    case "add": {
      const successor = change.replaced_by ?? replaced_by
      return stateWith(postcode, change.coordinate, change.active ?? true, successor, change.attributes ?? attributes)
    }
    case "move":
      return stateWith(postcode, change.coordinate, active, replaced_by, attributes)
    case "retire":
    case "replace":
      return stateWith(postcode, coordinate, false, change.replaced_by ?? replaced_by, attributes)
    case "reactivate":
      return stateWith(postcode, coordinate, true, undefined, attributes)
    case "set":
      return { ...before, attributes: withAttributes(attributes, change.attributes) }
  }
}

const existing = (before: UnitState, after: UnitState): string =>
  isSameState(before, { ...after, attributes: before.attributes })
    ? "postcode: a unit has it already, with other attributes; set those"
    : "postcode: a unit has it already, in another place or of another status; move, retire or reactivate that one"

/** Coordinates are rounded as the directory stores them. */
const stateWith = (
  postcode: Postcode,
  coordinate: Coordinate,
  active: boolean,
  replaced_by: Postcode | undefined,
  attributes: AttributeChanges
): UnitState => ({
  postcode,
  coordinate: { lat: rounded(coordinate.lat), lon: rounded(coordinate.lon) },
  active,
  ...(!active && replaced_by !== undefined && { replaced_by }),
  attributes: withAttributes({}, attributes)
})

/** Adding 0 turns −0 into 0. */
const rounded = (degrees: number): number => fromE7(toE7(degrees)) + 0

/** Whether two states of a unit are equal, with coordinates rounded as the directory stores them. */
export const isSameState = (a: UnitState, b: UnitState): boolean =>
  a.active === b.active &&
  a.replaced_by === b.replaced_by &&
  rounded(a.coordinate.lat) === rounded(b.coordinate.lat) &&
  rounded(a.coordinate.lon) === rounded(b.coordinate.lon) &&
  hasSameAttributes(a.attributes, b.attributes)

const hasSameAttributes = (a: UnitAttributes, b: UnitAttributes): boolean => {
  const names = Object.keys(a) as Array<keyof UnitAttributes>
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}
