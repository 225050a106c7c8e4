/**
 * Corrections of a postcode that is malformed, unknown or retired: units that differ from it by one typing error in
 * its eleven characters. A correction is a suggestion for a person, never a result in place of what was written.
 *
 * Candidates come in this order, by the kind of error:
 *
 * | Characters | Error                         | Example                                                    |
 * |------------|-------------------------------|------------------------------------------------------------|
 * | 11         | a look-alike                  | `O` for `0`, `I` or `L` for `1`, `Z` for `2`, `S` for `5`, `G` for `6`, `B` for `8` |
 * | 11         | swapped neighbours            | `LA-21` for `LA-12`, also across a separator               |
 * | 11         | a neighbouring key            | `08` for `07`, `LS` for `LA`                               |
 * | 11         | another wrong character       | `LA-12-A#3` for `LA-12-A03`                                |
 * | 10         | a missing leading zero        | `7` for `07`                                               |
 * | 10         | another missing character     | `LA-12-A3` for `LA-12-A03`                                 |
 * | 12         | a doubled character           | `BGG` for `BG`                                             |
 * | 12         | another surplus character     | `BVG` for `BG`                                             |
 *
 * Within each kind, errors nearer to the end come first: the same units exist in many districts, so a wrong state
 * would often be "corrected" into another state. Ties are in code order.
 */
import type { Directory } from "../directory/Directory.ts"
import { isValid, type ParseError, type Postcode } from "../postcode/Postcode.ts"
import { signsOf, slipsFrom, spelledBy } from "../postcode/Slips.ts"
import { type Completion, complete } from "./Autocomplete.ts"

/**
 * At most `limit` active units, the most likely first; none if the text is the postcode of an active unit, or if no
 * single correction leads to one.
 *
 * Case, separators and surrounding characters are ignored: a text with all the letters and digits of an active unit has
 * that unit as its only candidate. At most 252 units are looked up for any text and directory.
 *
 * ```ts
 * corrections(directory, "la-12-ao3-bg-07") // ["LA-12-A03-BG-07"]
 * ```
 */
export const corrections = (directory: Directory, text: string, limit = 3): ReadonlyArray<Postcode> => {
  const signs = limit > 0 ? signsOf(text) : undefined
  if (signs === undefined) return []
  const spelled = spelledBy(signs)
  if (spelled !== undefined && directory.status(spelled) === "active") return isValid(text) ? [] : [spelled]
  const found: Array<Postcode> = []
  for (const slip of slipsFrom(signs)) {
    if (found.length >= limit) break
    slip((postcode) => {
      if (directory.status(postcode) === "active") found.push(postcode)
      return found.length < limit
    })
  }
  return found
}

/**
 * The one unit that was probably meant, for a "did you mean": of all units that exist, it alone is reached by the most
 * likely kind of error that reaches any. Undefined if there are several, or none.
 *
 * A retired unit is never suggested, but counts: where it is the likelier reading, nothing less likely is suggested.
 * The postcode of a unit that exists, active or retired, has no correction. At most 252 units are looked up.
 *
 * ```ts
 * likelyCorrection(directory, "LA-12-A03-BG-O7") // "LA-12-A03-BG-07"
 * ```
 */
export const likelyCorrection = (directory: Directory, text: string): Postcode | undefined => {
  const signs = signsOf(text)
  if (signs === undefined) return undefined
  const spelled = spelledBy(signs)
  const written = spelled === undefined ? "unknown" : directory.status(spelled)
  if (written !== "unknown") return written === "active" && !isValid(text) ? spelled : undefined
  for (const slip of slipsFrom(signs)) {
    const known: Array<Postcode> = []
    slip((postcode) => {
      if (directory.status(postcode) !== "unknown") known.push(postcode)
      return known.length < 2
    })
    const [first, second] = known
    if (first !== undefined) return second === undefined && directory.status(first) === "active" ? first : undefined
  }
  return undefined
}

/**
 * The message of a parse error, with the likely correction of the text if there is one. It holds no part of the text.
 *
 * ```ts
 * explainMalformed(directory, "LA-12-A03-BG-O7", error)
 * // "unit: expected 2 digits at position 13; did you mean LA-12-A03-BG-07?"
 * ```
 */
export const explainMalformed = (
  directory: Directory,
  text: string,
  { message }: Pick<ParseError, "message">
): string => {
  const meant = likelyCorrection(directory, text)
  return meant === undefined ? message : `${message}; did you mean ${meant}?`
}

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
