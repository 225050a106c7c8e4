/** What someone is typing, read as the start of a postcode. Lenient: it shows, and refuses nothing. */
import { isValid, type PartialPostcode, type Postcode, segmentNames } from "@postcode/core/Postcode"

/** A postcode, or the start of one that ends with a segment. */
export type Code = Postcode | PartialPostcode

/** How many segments a code has: 1 for a state, 5 for a whole postcode. */
export const depthOf = (code: string): number => code.split("-").length

/** How deep a selection goes that ends with a segment: `until("unit")` is 5. Unknown names mean a whole postcode. */
export const depthUntil = (segment: string | null): number =>
  (segmentNames as ReadonlyArray<string | null>).indexOf(segment) + 1 || segmentNames.length

/**
 * The canonical code that a text spells, if it ends with a segment and is at least `depth` of them deep. A whole postcode
 * keeps core's grammar to the letter; the start of one may separate its segments in any way.
 */
export const readCode = (text: string, depth: number): Code | undefined => {
  const finished = slotsOf(text)?.filter((slot) => slot !== "") ?? []
  const code = finished.join("-")
  const isCode = code.length === lengths[finished.length] && (finished.length < 5 || isValid(text))
  return isCode && finished.length >= depth ? (code as Code) : undefined
}

/** `LA-11-B03` → `LA 11 B03`. */
export const spaced = (code: string): string => code.replaceAll("-", " ")

/**
 * A text laid out over the five segments, as far as it can be the start of a postcode; undefined if it is something
 * else, such as the start of a name.
 *
 * ```ts
 * slotsOf("la-11 b") // ["LA", "11", "B", "", ""]
 * ```
 */
export const slotsOf = (text: string): ReadonlyArray<string> | undefined => {
  const slots = cut(text)
  return slots.every((slot, index) => kinds[index]?.test(slot)) ? slots.map((slot) => slot.toUpperCase()) : undefined
}

/**
 * The code of a suggestion of the gateway: what it completes of the text, and behind it the segment suggested.
 *
 * ```ts
 * suggestedCode("la ike", "lga", "11") // "LA-11"
 * suggestedCode("lag", "state", "LA") // "LA"
 * ```
 */
export const suggestedCode = (text: string, segment: string, code: string): string => {
  return [...cut(text.toUpperCase()).slice(0, depthUntil(segment) - 1), code].join("-")
}

// Letters of ASCII alone: without the flag `u`, no other one counts as the same in another case.
const letters = /^[A-Z]*$/i
const digits = /^\d{0,2}$/
const kinds = [letters, digits, /^[A-Z\d]*$/i, letters, digits]

/** Where each segment starts in the compact format. */
const starts = [0, 2, 4, 7, 9]

/** How long a canonical code of so many segments is. */
const lengths = [0, 2, 5, 9, 12, 15]

/** The text without separators, cut into segments; what is too long for a postcode stays in the last one. */
const cut = (text: string): ReadonlyArray<string> => {
  const compact = text.replace(/[\s\u2010-\u2014\u2212-]/g, "")
  return starts.map((start, index) => compact.slice(start, starts[index + 1]))
}
