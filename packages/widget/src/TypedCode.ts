/** Parses typed text as a prefix of a postcode. Lenient: it only displays, and rejects nothing. */
import { foldCharacters, type PartialPostcode, type Postcode, segmentNames } from "@postcode/core/Postcode"

/** A postcode, or a prefix of one that ends with a segment. */
export type Code = Postcode | PartialPostcode

/** The number of segments in a code: 1 for a state, 5 for a whole postcode. */
export const depthOf = (code: string): number => code.split("-").length

/** The number of segments that a selection needs: `until("unit")` is 5. Unknown names mean a whole postcode. */
export const depthUntil = (segment: string | null): number =>
  (segmentNames as ReadonlyArray<string | null>).indexOf(segment) + 1 || segmentNames.length

/**
 * The canonical code of a text that ends with a segment and has at least `depth` of them. A whole postcode must match
 * core's grammar exactly; a prefix may use any separators.
 */
export const readCode = (typed: string, depth: number): Code | undefined => {
  const text = foldCharacters(typed)
  const finished = slotsOf(text)?.filter((slot) => slot !== "") ?? []
  const code = finished.join("-")
  const isCode = code.length === lengths[finished.length] && (finished.length < 5 || isSeparatedAlike(text))
  return isCode && finished.length >= depth ? (code as Code) : undefined
}

/**
 * Whether the segments of a whole postcode are separated all alike, as in core's grammar. Core's `isValid` says the same
 * faster, in 400 bytes more.
 */
const isSeparatedAlike = (text: string): boolean => {
  const simple = text
    .trim()
    .replace(/[\u2010-\u2014\u2212]/g, "-")
    .replace(/[\u00A0\u202F]/g, " ")
  return text.length <= 1024 && /^..([- ]?)..\1...\1..\1..$/.test(simple)
}

/** `LA-11-B03` → `LA 11 B03`. */
export const spaced = (code: string): string => code.replaceAll("-", " ")

/**
 * A text split into the five segments if it can be a prefix of a postcode; undefined if it is something else, such as a
 * name.
 *
 * ```ts
 * slotsOf("la-11 b") // ["LA", "11", "B", "", ""]
 * ```
 */
export const slotsOf = (text: string): ReadonlyArray<string> | undefined => {
  const slots = cut(foldCharacters(text))
  return slots.every((slot, index) => kinds[index]?.test(slot)) ? slots.map((slot) => slot.toUpperCase()) : undefined
}

// Only ASCII letters: without the flag `u`, no other character matches case-insensitively.
const letters = /^[A-Z]*$/i
const digits = /^\d{0,2}$/
const kinds = [letters, digits, /^[A-Z\d]*$/i, letters, digits]

/** The start of each segment in compact format. */
const starts = [0, 2, 4, 7, 9]

/** The length of a canonical code by number of segments. */
const lengths = [0, 2, 5, 9, 12, 15]

/** Splits a text without separators into segments; excess characters stay in the last one. */
const cut = (text: string): ReadonlyArray<string> => {
  const compact = text.replace(/[\s\u2010-\u2014\u2212-]/g, "")
  return starts.map((start, index) => compact.slice(start, starts[index + 1]))
}
