/**
 * The national postcode: five segments, written in three formats. Parsing, validation, formatting and comparison, with
 * no data set and no import, so that a web page can bundle it alone.
 *
 * | Segment  | Grammar       | Example |
 * |----------|---------------|---------|
 * | state    | 2 letters     | `LA`    |
 * | lga      | 2 digits      | `12`    |
 * | district | 3 of either   | `A03`   |
 * | area     | 2 letters     | `BG`    |
 * | unit     | 2 digits      | `07`    |
 *
 * Canonical `LA-12-A03-BG-07`, display `LA 12 A03 BG 07`, compact `LA12A03BG07`. Letters and digits are those of ASCII.
 * Whether a well-formed postcode exists is decided by the directory.
 */

declare const brand: unique symbol

/** A well-formed postcode in canonical format: `LA-12-A03-BG-07`, 15 characters. */
export type Postcode = string & { readonly [brand]: "Postcode" }

/** The start of a canonical postcode up to the end of a segment: `LA`, `LA-12`, … A whole postcode is valid, too. */
export type PartialPostcode = string & { readonly [brand]: "PartialPostcode" | "Postcode" }

/** The name of a segment, the widest first. */
export type SegmentName = "state" | "lga" | "district" | "area" | "unit"

/** A postcode in its parts, in upper case. */
export interface Segments {
  readonly state: string
  readonly lga: string
  readonly district: string
  readonly area: string
  readonly unit: string
}

/** A parse error. The message contains no part of the input, so it is safe to log and to show. */
export interface ParseError {
  /** The first segment that is wrong or missing. */
  readonly segment: SegmentName
  /** Where that segment starts or should start: an index in UTF-16 units of the input as given, from 0. */
  readonly position: number
  /** What should stand there: `2 letters`. */
  readonly expected: string
  /** `state: expected 2 letters at position 0`. */
  readonly message: string
}

/** Why a text is not a postcode. */
export type ParseFailure = { readonly ok: false; readonly error: ParseError }

/** A postcode in canonical format, or the error. */
export type ParseResult = { readonly ok: true; readonly postcode: Postcode } | ParseFailure

/** A partial postcode and its number of segments, or the error. */
export type PartialResult =
  | { readonly ok: true; readonly partial: PartialPostcode; readonly depth: 1 | 2 | 3 | 4 | 5 }
  | ParseFailure

/** The segments from the widest to the narrowest, in the order in which a postcode writes them. */
export const segmentNames = ["state", "lga", "district", "area", "unit"] as const satisfies ReadonlyArray<SegmentName>

/** Maximum length of an input in UTF-16 units. Longer input is malformed and not read any further. */
export const maxInputLength = 1024

/**
 * Parses a postcode in any format and either case, with optional surrounding white space. All separators are dashes,
 * all are single spaces, or there are none. Typographic dashes and non-breaking spaces count as their ASCII
 * counterparts, and `foldCharacters` comes first. Never throws.
 *
 * ```ts
 * parse(" la 12 a03 bg 07 ") // { ok: true, postcode: "LA-12-A03-BG-07" }
 * parse("LA-1X-A03-BG-07") // { ok: false, error: { segment: "lga", position: 3, expected: "2 digits", … } }
 * ```
 */
export const parse = (input: string): ParseResult => {
  if (isCanonical(input)) return { ok: true, postcode: input }
  if (isPlain(input)) return { ok: true, postcode: canonical(input.trim()) }
  const folded = foldCharacters(input)
  if (folded !== input && isPlain(folded)) return { ok: true, postcode: canonical(folded.trim()) }
  return { ok: false, error: firstFaultIn(input, folded, false) as ParseError }
}

/** Whether `parse` accepts the input. */
export const isValid = (input: string): boolean => {
  if (isPlain(input)) return true
  const folded = foldCharacters(input)
  return folded !== input && isPlain(folded)
}

/**
 * A text without characters that hide in copied postcodes: format characters such as U+200B are removed, full-width
 * forms are ASCII, and a full stop, comma or semicolon at the end is dropped. Most texts come back as they are.
 */
export const foldCharacters = (text: string): string => {
  if (typeof text !== "string" || text.length > maxInputLength || !mayFold.test(text)) return text
  return foldForms(text).replace(/[.,;]+(\s*)$/, "$1")
}

/** The same without dropping anything at the end. */
export const foldForms = (text: string): string => text.replace(/\p{Cf}/gu, "").replace(/[\uff01-\uff5e]/g, halfWidth)

/**
 * The source of a regular expression, for the flags `iu`, that finds a postcode in a longer text. It has a group for each
 * segment. Between them are at most three separators, such as ` - `. A literal, so that bundles without it can drop it.
 */
export const postcodeInText =
  "([a-z]{2})[\\s\\p{Pd}._/]{0,3}(\\d{2})[\\s\\p{Pd}._/]{0,3}([a-z\\d]{3})[\\s\\p{Pd}._/]{0,3}([a-z]{2})[\\s\\p{Pd}._/]{0,3}(\\d{2})"

/** Whether a value is a postcode in canonical format. */
export const isCanonical = (value: unknown): value is Postcode =>
  typeof value === "string" &&
  value.length === canonicalLength &&
  isJoinedBy(value, dash) &&
  isSeparated(value, upperCase)

/** `LA-12-A03-BG-07` → `{ state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" }`. */
export const segments = (postcode: Postcode): Segments => ({
  state: postcode.slice(0, 2),
  lga: postcode.slice(3, 5),
  district: postcode.slice(6, 9),
  area: postcode.slice(10, 12),
  unit: postcode.slice(13)
})

/**
 * Joins five segments, in either case. `lga` and `unit` may omit their leading zero: `7` is `07`. The error names the
 * first invalid segment; its position is 0, as each segment is a separate input.
 *
 * ```ts
 * fromSegments({ state: "la", lga: "12", district: "a03", area: "bg", unit: "7" }) // … "LA-12-A03-BG-07"
 * ```
 */
export const fromSegments = (parts: Segments): ParseResult => {
  const codes: Array<string> = []
  for (const [index, name] of segmentNames.entries()) {
    const { width, expected, matches } = grammar[index] as SegmentGrammar
    const part: unknown = parts[name]
    const code = matches === twoDigits ? withLeadingZero(part) : part
    if (typeof code !== "string" || code.length !== width || !matches(code, 0, anyCase)) {
      return { ok: false, error: { segment: name, position: 0, expected, message: `${name}: expected ${expected}` } }
    }
    codes.push(code.toUpperCase())
  }
  return { ok: true, postcode: codes.join("-") as Postcode }
}

/** `LA-12-A03-BG-07` → `LA 12 A03 BG 07`. */
export const display = (postcode: Postcode): string =>
  `${postcode.slice(0, 2)} ${postcode.slice(3, 5)} ${postcode.slice(6, 9)} ${postcode.slice(10, 12)} ${postcode.slice(13)}`

/** `LA-12-A03-BG-07` → `LA12A03BG07`. */
export const compact = (postcode: Postcode): string =>
  `${postcode.slice(0, 2)}${postcode.slice(3, 5)}${postcode.slice(6, 9)}${postcode.slice(10, 12)}${postcode.slice(13)}`

/**
 * Parses the start of a postcode up to the end of a segment, in any format that `parse` accepts. `depth` is the number
 * of segments: 1 for a state, 5 for a whole postcode.
 *
 * ```ts
 * parsePartial("la12") // { ok: true, partial: "LA-12", depth: 2 }
 * ```
 */
export const parsePartial = (input: string): PartialResult => {
  const folded = foldCharacters(input)
  const error = firstFaultIn(input, folded, true)
  if (error !== undefined) return { ok: false, error }
  const partial = canonicalPartial(folded.trim())
  return { ok: true, partial, depth: partial.split("-").length as 1 | 2 | 3 | 4 | 5 }
}

/** The postcode up to the end of a segment: `prefix(postcode, "district")` → `LA-12-A03`. */
export const prefix = (postcode: Postcode, segment: SegmentName): PartialPostcode => {
  const { start, width } = grammar[segmentNames.indexOf(segment)] as SegmentGrammar
  return postcode.slice(0, start + width) as PartialPostcode
}

/** The order of canonical postcodes, digits before letters: −1, 0 or 1, for `Array.prototype.sort`. */
export const compare = (a: Postcode, b: Postcode): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0)

/** Characters outside of ASCII, or a punctuation mark at the end. */
const mayFold = /[^\0-\x7f]|[.,;]\s*$/

const halfWidth = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 0xfee0)

/** Whether an input is a postcode without folding its characters. */
const isPlain = (input: string): boolean =>
  typeof input === "string" && (isWhole(input) || (isPadded(input) && isWhole(input.trim())))

/** `0` alone is not completed, since LGAs and units are numbered from 01. */
const withLeadingZero = (part: unknown): unknown =>
  typeof part === "string" && /^[1-9]$/.test(part) ? `0${part}` : part

const canonicalLength = 15
const compactLength = 11

// Bit mask for a character before it is compared with a capital letter: without bit 5, `a` is `A`.
const upperCase = -1
const anyCase = ~0x20

const none = 0
const space = 0x20
const dash = 0x2d

/** Negative for a code that lies outside the bounds. */
const outside = (code: number, low: number, high: number): number => (code - low) | (high - code)

const isLetter = (code: number, mask: number): boolean => outside(code & mask, 0x41, 0x5a) >= 0
const isDigit = (code: number): boolean => outside(code, 0x30, 0x39) >= 0

// Branch-free: the processor cannot predict whether the next character of a district is a letter or a digit.
const isEither = (code: number, mask: number): boolean =>
  (outside(code & mask, 0x41, 0x5a) & outside(code, 0x30, 0x39)) >= 0

const twoLetters = (text: string, at: number, mask: number): boolean =>
  isLetter(text.charCodeAt(at), mask) && isLetter(text.charCodeAt(at + 1), mask)

const twoDigits = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at)) && isDigit(text.charCodeAt(at + 1))

const threeOfEither = (text: string, at: number, mask: number): boolean =>
  isEither(text.charCodeAt(at), mask) &&
  isEither(text.charCodeAt(at + 1), mask) &&
  isEither(text.charCodeAt(at + 2), mask)

/** Whether a text of 11 characters is in compact format. */
const isCompact = (text: string, mask: number): boolean =>
  twoLetters(text, 0, mask) &&
  twoDigits(text, 2) &&
  threeOfEither(text, 4, mask) &&
  twoLetters(text, 7, mask) &&
  twoDigits(text, 9)

/** Whether the segments of a text of 15 characters are valid. Separators are ignored. */
const isSeparated = (text: string, mask: number): boolean =>
  twoLetters(text, 0, mask) &&
  twoDigits(text, 3) &&
  threeOfEither(text, 6, mask) &&
  twoLetters(text, 10, mask) &&
  twoDigits(text, 13)

/** Whether all separators of a text of 15 characters are the given character. */
const isJoinedBy = (text: string, code: number): boolean =>
  text.charCodeAt(2) === code &&
  text.charCodeAt(5) === code &&
  text.charCodeAt(9) === code &&
  text.charCodeAt(12) === code

/** The same, where typographic dashes and spaces count as ASCII ones. */
const isJoinedLoosely = (text: string): boolean => {
  const separator = separatorAt(text, 2)
  return (
    separator !== none &&
    separatorAt(text, 5) === separator &&
    separatorAt(text, 9) === separator &&
    separatorAt(text, 12) === separator
  )
}

/** Whether a text is a postcode in any format and either case. */
const isWhole = (text: string): boolean =>
  text.length === canonicalLength
    ? isSeparated(text, anyCase) && (isJoinedBy(text, dash) || isJoinedBy(text, space) || isJoinedLoosely(text))
    : text.length === compactLength && isCompact(text, anyCase)

/** Whether an input of acceptable length may begin or end with white space. */
const isPadded = (input: string): boolean =>
  input.length > compactLength &&
  input.length <= maxInputLength &&
  !(isInk(input.charCodeAt(0)) && isInk(input.charCodeAt(input.length - 1)))

// Visible ASCII. Most inputs begin and end with it and need no `trim`, which copies.
const isInk = (code: number): boolean => code > space && code < 0x7f

interface SegmentGrammar {
  /** Where the segment starts in canonical format. */
  readonly start: number
  readonly width: number
  readonly expected: string
  readonly matches: (text: string, at: number, mask: number) => boolean
}

const grammar: ReadonlyArray<SegmentGrammar> = [
  { start: 0, width: 2, expected: "2 letters", matches: twoLetters },
  { start: 3, width: 2, expected: "2 digits", matches: twoDigits },
  { start: 6, width: 3, expected: "3 letters or digits", matches: threeOfEither },
  { start: 10, width: 2, expected: "2 letters", matches: twoLetters },
  { start: 13, width: 2, expected: "2 digits", matches: twoDigits }
]

// Engines optimize `charCodeAt` well only while every index is in range.
const codeAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : none)

/** The ASCII separator that a character counts as, or `none`. */
const separatorAt = (text: string, at: number): number => {
  const code = codeAt(text, at)
  return code === dash || code === space ? code : foreignSeparator(code)
}

const foreignSeparator = (code: number): number => {
  // Hyphen, non-breaking hyphen, figure dash, en dash, em dash; and the minus sign.
  if ((code >= 0x2010 && code <= 0x2014) || code === 0x2212) return dash
  // No-break space, narrow no-break space.
  return code === 0xa0 || code === 0x202f ? space : none
}

/**
 * Finds the first invalid segment; undefined if there is none. With `partial`, the text may end after any segment.
 *
 * The character after the state determines the format. With separators, a segment followed by a letter or digit is too
 * long and is reported itself; without separators this is detectable only for the state, which no letter may follow.
 */
const firstFault = (input: string, partial: boolean): ParseError | undefined => {
  const read = typeof input === "string" ? input.slice(0, maxInputLength) : ""
  const text = read.trim()
  const offset = read.length - read.trimStart().length
  const separator = separatorAt(text, 2)
  let at = 0
  for (let index = 0; index < grammar.length; index++) {
    const { width, expected, matches } = grammar[index] as SegmentGrammar
    if (index > 0 && separator !== none) {
      if (separatorAt(text, at) !== separator) {
        return fault(index, offset + at, `a ${separator === dash ? "dash" : "space"}, then ${expected}`)
      }
      at++
    }
    const next = codeAt(text, at + width)
    const isTooLong = index === 0 ? isLetter(next, anyCase) : index < 4 && separator !== none && isEither(next, anyCase)
    if (isTooLong || at + width > text.length || !matches(text, at, anyCase)) return fault(index, offset + at, expected)
    at += width
    if (partial && at === text.length && input.length <= maxInputLength) return undefined
  }
  return at === text.length && input.length <= maxInputLength
    ? undefined
    : fault(4, offset + at - 2, "2 digits and nothing after them")
}

/** The first fault of a folded text, with its position in the input. */
const firstFaultIn = (input: string, folded: string, partial: boolean): ParseError | undefined => {
  const found = firstFault(folded, partial)
  if (found === undefined || folded === input) return found
  return fault(segmentNames.indexOf(found.segment), positionIn(input, found.position), found.expected)
}

/** Where the character of a folded text stands in the input; for its end, after the last character that was kept. */
const positionIn = (input: string, position: number): number => {
  let at = 0
  let end = 0
  let kept = 0
  for (const character of input) {
    if (foldForms(character) !== "") {
      if (kept === position) return at
      kept += character.length
      end = at + character.length
    }
    at += character.length
  }
  return end
}

const fault = (index: number, position: number, expected: string): ParseError => {
  const segment = segmentNames[index] as SegmentName
  return { segment, position, expected, message: `${segment}: expected ${expected} at position ${position}` }
}

/** Converts a whole postcode in any format to canonical format. */
const canonical = (text: string): Postcode => {
  const gap = text.length === canonicalLength ? 1 : 0
  return String.fromCharCode(
    upperAt(text, 0),
    upperAt(text, 1),
    dash,
    upperAt(text, 2 + gap),
    upperAt(text, 3 + gap),
    dash,
    upperAt(text, 4 + 2 * gap),
    upperAt(text, 5 + 2 * gap),
    upperAt(text, 6 + 2 * gap),
    dash,
    upperAt(text, 7 + 3 * gap),
    upperAt(text, 8 + 3 * gap),
    dash,
    upperAt(text, 9 + 4 * gap),
    upperAt(text, 10 + 4 * gap)
  ) as Postcode
}

const upperAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code >= 0x61 ? code & anyCase : code
}

/** The same for a partial postcode. */
const canonicalPartial = (text: string): PartialPostcode => {
  const gap = separatorAt(text, 2) === none ? 0 : 1
  const upper = text.toUpperCase()
  let code = upper.slice(0, 2)
  for (let index = 1, at = 2 + gap; at < upper.length; index++) {
    const { width } = grammar[index] as SegmentGrammar
    code += `-${upper.slice(at, at + width)}`
    at += width + gap
  }
  return code as PartialPostcode
}
