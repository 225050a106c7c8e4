/** Whether a postcode is in use; if it is not, the reason and likely corrections. */

import type { Directory } from "../directory/Directory.ts"
import { foldCharacters, type Postcode, parse, prefix, segmentNames } from "../postcode/Postcode.ts"
import { complete } from "./Autocomplete.ts"
import { corrections } from "./Corrections.ts"
import { isNothing } from "./isNothing.ts"

/** `retired` units are no longer in use, `not_found` units do not exist, `malformed` texts are not postcodes. */
export type ValidationStatus = "valid" | "retired" | "not_found" | "malformed"

/** All values of `ValidationStatus`. */
export const validationStatuses = [
  "valid",
  "retired",
  "not_found",
  "malformed"
] as const satisfies ReadonlyArray<ValidationStatus>

/** The result for one text. */
export interface Validation {
  readonly status: ValidationStatus
  /** Canonical format; undefined if the text is malformed. */
  readonly postcode: Postcode | undefined
  /** The successor of a retired unit, if it is known; see `Directory.replacedBy`. */
  readonly replaced_by: Postcode | undefined
  /** Why it is not valid; undefined if it is. Contains no part of a malformed text. */
  readonly reason: string | undefined
  /** Likely corrections to active units, the most likely first; see `corrections`. */
  readonly candidates: ReadonlyArray<Postcode>
}

/**
 * Validates a text against a directory. Never throws.
 *
 * ```ts
 * validate(directory, "la 12 a03 bg 07") // { status: "valid", postcode: "LA-12-A03-BG-07", …, candidates: [] }
 * validate(directory, "LA-12-AO3-BG-O7") // { status: "malformed", reason: "unit: expected 2 digits at position 13", … }
 * ```
 *
 * @param limit maximum number of candidates; 0 skips the search for them
 */
export const validate = (directory: Directory, text: string, limit = 3): Validation => {
  const parsed = parse(text)
  if (!parsed.ok) {
    const reason = whyNoPostcode(text) ?? parsed.error.message
    const candidates = corrections(directory, text, limit)
    return { status: "malformed", postcode: undefined, replaced_by: undefined, reason, candidates }
  }
  const { postcode } = parsed
  const found = directory.status(postcode)
  const replaced_by = found === "retired" ? directory.replacedBy(postcode) : undefined
  if (found === "active") return { status: "valid", postcode, replaced_by, reason: undefined, candidates: [] }
  const candidates = corrections(directory, text, limit)
  return found === "retired"
    ? { status: "retired", postcode, replaced_by, reason: "the unit is retired", candidates }
    : { status: "not_found", postcode, replaced_by, reason: whyNotFound(directory, postcode), candidates }
}

/**
 * Why a field has no postcode of this system, and nothing that was meant as one: it is empty, says `N/A`, or has six
 * digits of the former postal system. Undefined if it may have one.
 */
export const whyNoPostcode = (text: string): string | undefined => {
  const written = foldCharacters(String(text ?? "")).trim()
  if (written === "") return "there is no postcode"
  if (isNothing(written)) return "this says that there is no postcode"
  return /^\d{3} ?\d{3}$/.test(written)
    ? "six digits are a code of the former postal system, and no postcode"
    : undefined
}

/** Names the first segment of the postcode in which no active unit exists. */
const whyNotFound = (directory: Directory, postcode: Postcode): string => {
  for (const [depth, name] of segmentNames.slice(0, -1).entries()) {
    const code = prefix(postcode, name)
    const { segment, suggestions } = complete(directory, code, 1)
    // If no code continues the text, `complete` completes names, which belong to an earlier segment.
    if (segment !== segmentNames[depth + 1] || suggestions.length === 0) return `no active unit is in ${name} ${code}`
  }
  return `area ${prefix(postcode, "area")} has no unit ${postcode.slice(13)}`
}
