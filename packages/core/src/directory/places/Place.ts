/** Names of states and local government areas. Districts, areas and units have only codes. */
import type { PartialPostcode } from "../../postcode/Postcode.ts"

/** A state or a local government area and its name. */
export interface Place {
  /** `LA` or `LA-12`. */
  readonly code: PartialPostcode
  readonly name: string
  /** The geopolitical zone: `South West`. States only. */
  readonly zone?: string
}

/** A segment's code, and its name if it has one. */
export interface NamedCode {
  readonly code: string
  readonly name?: string
}

/** The names of the administrative parts of a postcode, as far as they are known. */
export interface PlaceNames {
  readonly state_name?: string
  readonly lga_name?: string
  readonly zone?: string
}
