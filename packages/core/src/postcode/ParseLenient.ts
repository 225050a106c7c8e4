/**
 * Lenient parsing, for postcodes copied from paper or by character recognition. Use it only where a person or the data's
 * owner asked for it; the service itself always parses strictly.
 */
import { lookAlikePairs } from "./LookAlikes.ts"
import { foldForms, maxInputLength, type ParseFailure, type Postcode, parse, segmentNames } from "./Postcode.ts"

/** A postcode in canonical format and the number of characters that were changed for it, or the error. */
export type LenientResult = { readonly ok: true; readonly postcode: Postcode; readonly changed: number } | ParseFailure

/**
 * Parses as `parse` does, and also if the separators are mixed, repeated or misplaced, or if a letter replaces the
 * digit that it looks like, or a digit for the letter: `O`/`0`, `I`/`1`, `S`/`5`, `B`/`8`. A look-alike is changed only
 * where it cannot stand: never in a district, which may have both. Whether the postcode exists is not checked. Never
 * throws.
 *
 * ```ts
 * parseLenient(" ek-01 a03fk 01 ") // { ok: true, postcode: "EK-01-A03-FK-01", changed: 0 }
 * parseLenient("EK-O1-A03-FK-0I") // { ok: true, postcode: "EK-01-A03-FK-01", changed: 2 }
 * ```
 *
 * @returns an error as `parse` does, with the position in the input as given
 */
export const parseLenient = (input: string): LenientResult => {
  const strict = parse(input)
  if (strict.ok) return { ...strict, changed: 0 }
  if (typeof input !== "string" || input.length > maxInputLength) return strict
  const positions: Array<number> = []
  let text = ""
  let changed = 0
  const end = input.replace(/[.,;\s\p{Cf}]+$/u, "").length
  for (let at = 0; at < end; at++) {
    const written = foldForms(input.charAt(at))
    if (written === "" || separator.test(written)) continue
    const meant = substitutes[positions.length]?.get(written) ?? written
    if (meant !== written) changed++
    text += meant
    positions.push(at)
  }
  const result = parse(starts.map((start, index) => text.slice(start, starts[index + 1])).join("-"))
  return result.ok ? { ...result, changed } : inInput(result, input, positions)
}

/** Where each segment starts in a postcode without separators. */
const starts = [0, 2, 4, 7, 9]

/** White space, and the dashes that `parse` accepts. */
const separator = /[\s\u2010-\u2014\u2212-]/

const digitFor = new Map(
  lookAlikePairs.flatMap(([digit = "", letter = ""]) => [
    [letter, digit],
    [letter.toLowerCase(), digit]
  ])
)
const letterFor = new Map(lookAlikePairs.map(([digit = "", letter = ""]) => [digit, letter]))

/** What look-alikes are changed to at each of the eleven positions. */
const substitutes = [..."LLDD***LLDD"].map((kind) => (kind === "L" ? letterFor : kind === "D" ? digitFor : undefined))

/** The error with its position in the input, where the segment has its first character or is missing. */
const inInput = ({ error }: ParseFailure, input: string, positions: ReadonlyArray<number>): ParseFailure => {
  const start = starts[segmentNames.indexOf(error.segment)] as number
  const position = positions[start] ?? input.trimEnd().length
  const message = `${error.segment}: expected ${error.expected} at position ${position}`
  return { ok: false, error: { ...error, position, message } }
}
