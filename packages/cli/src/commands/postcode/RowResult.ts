/** What was found in a row: the validation of its postcode, the answer to its address, or both. */

import type { AddressAnswer } from "@postcode/core/AddressSearch"
import type { Validation } from "@postcode/core/Validation"

/** The result of a row. */
export interface RowResult {
  /** The text of the postcode; undefined if the file has no such column. */
  readonly code: string | undefined
  /** Undefined if the file has no postcodes, or this row of a file with addresses has none. */
  readonly validation: RowValidation | undefined
  /** Undefined if addresses are not resolved. */
  readonly address: RowAddress | undefined
}

/** The result of a postcode. */
export interface RowValidation extends Validation {
  /** The number of look-alikes that were changed; only of well-formed postcodes that were parsed leniently. */
  readonly changed?: number
}

/** The result of an address. */
export interface RowAddress {
  readonly text: string
  readonly answer: AddressAnswer
  /**
   * Whether the row's postcode, or the successor of a retired one, lies within the found code; of a row without, the
   * postcode in its address. Undefined if either is unknown.
   */
  readonly agrees: boolean | undefined
}

/**
 * Whether a postcode, or its successor, lies within the code of an answer; undefined if there is no postcode, or no code.
 */
export const agreement = (validation: Validation | undefined, { code }: AddressAnswer): boolean | undefined =>
  validation?.postcode === undefined || code === null
    ? undefined
    : [validation.postcode, validation.replaced_by].some((postcode) => postcode?.startsWith(code))

/** Whether the address contradicts itself: it has a postcode of another unit, or nearly one. */
const isOpen = (answer: AddressAnswer | undefined): boolean => answer?.code === null && answer.action === "confirm"

/** Whether nobody needs to look at a row: its postcode decides, its address if it has none. */
export const isGood = ({ address, validation }: RowResult): boolean =>
  validation === undefined
    ? address?.answer.action === "accept" && address.agrees !== false
    : validation.status === "valid" && address?.agrees !== false && !isOpen(address?.answer)
