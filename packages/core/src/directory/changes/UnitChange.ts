/** What can happen to the units of a directory between two editions. */

import type { Postcode } from "../../postcode/Postcode.ts"
import type { Coordinate } from "../space/Coordinate.ts"
import type { UnitAttributes } from "../UnitAttributes.ts"

/**
 * One change. A unit stays known once it was added: it is retired, never removed, and a retired one may still be moved.
 * The directory does not hold attributes; whoever keeps them takes them from the change.
 */
export type UnitChange =
  | {
      readonly change: "add"
      readonly postcode: Postcode
      readonly coordinate: Coordinate
      /** True unless said. */
      readonly active?: boolean
      readonly attributes?: UnitAttributes
    }
  | {
      readonly change: "move"
      readonly postcode: Postcode
      readonly coordinate: Coordinate
      /** What is known of the unit from now on; what was known before, unless said. */
      readonly attributes?: UnitAttributes
    }
  | { readonly change: "retire" | "reactivate"; readonly postcode: Postcode }

/** Why a change cannot be. */
export interface ChangeFault {
  /** Which of the changes it is, from 0. */
  readonly index: number
  /** `postcode: no unit has it; add it first`. */
  readonly reason: string
}
