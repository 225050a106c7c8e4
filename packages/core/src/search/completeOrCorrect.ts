/** Completion of a typed text, with the likely correction of a postcode that nothing continues. */

import type { Directory } from "../directory/Directory.ts"
import type { Postcode } from "../postcode/Postcode.ts"
import { type Completion, complete } from "./Autocomplete.ts"
import { likelyCorrection } from "./Corrections.ts"

/** Completions, or an empty list and the active unit that was probably meant. */
export interface CorrectedCompletion extends Completion {
  /** Only with an empty list, so that clients do not mistake it for a completion of the text. */
  readonly did_you_mean?: Postcode
}

/**
 * The completions of a text. If there are none and the text differs from a postcode by one typing error, the correction is with
 * the empty list.
 *
 * ```ts
 * completeOrCorrect(directory, "LA-12-A03-BG-O7", 20)
 * // { segment: "unit", suggestions: [], did_you_mean: "LA-12-A03-BG-07" }
 * ```
 */
export const completeOrCorrect = (directory: Directory, q: string, limit: number): CorrectedCompletion => {
  const completion = complete(directory, q, limit)
  const did_you_mean = completion.suggestions.length === 0 ? likelyCorrection(directory, q) : undefined
  return did_you_mean === undefined ? completion : { ...completion, did_you_mean }
}
