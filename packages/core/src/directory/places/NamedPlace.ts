/** A named state or local government area, as completion needs it. */

import type { UnitsBelow } from "../unitsBelow.ts"
import type { Place } from "./Place.ts"

/**
 * The code of a segment, its label, and where it leads. A district or area, which has no name, also has the number of its
 * active units, and their centre if there are enough of them. Frozen where it is kept.
 */
export interface Suggestion extends Partial<UnitsBelow> {
  /** The code of the segment alone: `11`. */
  readonly code: string
  /** The name if the segment has one, otherwise the code. */
  readonly label: string
  /** The partial postcode that it leads to, `LA-11`; the whole postcode of a unit. */
  readonly prefix: string
  /** The names of what it lies in: the state of an LGA, `Ikeja, Lagos` below. Missing for states and without names. */
  readonly within?: string
}

export interface NamedPlace {
  readonly place: Place
  readonly suggestion: Suggestion
  /** The value of the state's segment. */
  readonly state: number
  /** The value of the LGA's segment, or −1 for a state. */
  readonly lga: number
  /** The name after `foldName`. */
  readonly folded: string
  /** The same without spaces. */
  readonly joined: string
}
