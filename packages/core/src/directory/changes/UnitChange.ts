/** Changes of units between two editions of a directory. */

import type { UnitAttributes } from "../../levels/UnitAttributes.ts"
import type { Postcode } from "../../postcode/Postcode.ts"
import type { Coordinate } from "../space/Coordinate.ts"

/**
 * One change. Units are retired, never removed, and a retired unit may be moved. The directory ignores attributes,
 * which are stored elsewhere.
 */
export type UnitChange =
  | {
      readonly change: "add"
      readonly postcode: Postcode
      readonly coordinate: Coordinate
      /** Default: true. */
      readonly active?: boolean
      /** The successor of a retired unit. */
      readonly replaced_by?: Postcode
      readonly attributes?: UnitAttributes
    }
  | { readonly change: "move"; readonly postcode: Postcode; readonly coordinate: Coordinate }
  | {
      readonly change: "retire"
      readonly postcode: Postcode
      /** The successor, which need not exist yet. Default: unchanged, so a retired unit keeps the one that it has. */
      readonly replaced_by?: Postcode
    }
  /** Retires the unit if it is active, and names its successor. */
  | { readonly change: "replace"; readonly postcode: Postcode; readonly replaced_by: Postcode }
  /** Removes the successor, too. */
  | { readonly change: "reactivate"; readonly postcode: Postcode }
  /** Sets the given attributes; null removes one. The others stay. */
  | { readonly change: "set"; readonly postcode: Postcode; readonly attributes: AttributeChanges }

/** The kinds of changes. */
export const changeKinds = ["add", "move", "retire", "replace", "reactivate", "set"] as const

/** The kind of a change. */
export type ChangeKind = UnitChange["change"]

/** New values of attributes; null removes one. */
export type AttributeChanges = { readonly [Name in keyof UnitAttributes]?: UnitAttributes[Name] | null }

/** The attributes after a change of some of them. */
export const withAttributes = (known: UnitAttributes, changes: AttributeChanges): UnitAttributes => {
  const all = { ...known, ...changes }
  const hasNone = Object.values(all).some((value) => value == null)
  return (
    hasNone ? Object.fromEntries(Object.entries(all).filter(([, value]) => value != null)) : all
  ) as UnitAttributes
}

/** The state of a unit. */
export interface UnitState {
  readonly postcode: Postcode
  readonly coordinate: Coordinate
  readonly active: boolean
  /** The successor of a retired unit. */
  readonly replaced_by?: Postcode
  readonly attributes: UnitAttributes
}

/** The fault of a change. */
export interface ChangeFault {
  /** The index of the change in its batch, from 0. */
  readonly index: number
  /** `postcode: no unit has it; add it first`. */
  readonly reason: string
}
