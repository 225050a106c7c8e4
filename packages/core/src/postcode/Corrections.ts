/**
 * Corrections of a postcode that is malformed, unknown or retired: active units that differ from it by one typing
 * error, which is one wrong character or two swapped neighbours.
 *
 * Candidates come in this order:
 *
 * | Slip               | Example                                                                       |
 * |--------------------|-------------------------------------------------------------------------------|
 * | a look-alike       | `O` for `0`, `I` or `L` for `1`, `Z` for `2`, `S` for `5`, `G` for `6`, `B` for `8` |
 * | swapped neighbours | `LA-21` for `LA-12`, also across a separator                                  |
 * | a neighbouring key | `08` for `07`, `LS` for `LA`                                                  |
 * | another character  |                                                                               |
 *
 * Within each group, errors nearer to the end come first: the same units exist in many districts, so a wrong state
 * would often be "corrected" into another state. Ties are in code order.
 */
import type { Directory } from "../directory/Directory.ts"
import { isValid, maxInputLength, type Postcode } from "./Postcode.ts"

/**
 * At most `limit` candidates, the most likely first; none if the text is the postcode of an active unit, or if no
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
  const characters = limit > 0 ? charactersOf(text) : undefined
  if (characters === undefined) return []
  const misfits = misfitsOf(characters)
  if (misfits.length > maxMisfits) return []
  if (misfits.length === 0) {
    const spelled = postcodeOf(characters)
    if (directory.status(spelled) === "active") return isValid(text) ? [] : [spelled]
  }
  const search: Search = { directory, characters, misfits, limit, found: [] }
  substitute(search, lookAlike)
  swap(search)
  substitute(search, besideKey)
  substitute(search, anyOther)
  return search.found
}

interface Search {
  readonly directory: Directory
  /** The eleven characters as ASCII codes. Changed for each attempt and restored after it. */
  readonly characters: Array<number>
  /** The positions whose character the grammar does not allow. */
  readonly misfits: ReadonlyArray<number>
  readonly limit: number
  readonly found: Array<Postcode>
}

const width = 11
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const digits = "0123456789"
const either = digits + letters

/** The characters allowed at each position, in code order. */
const alphabets = [letters, letters, digits, digits, either, either, either, letters, letters, digits, digits].map(
  (alphabet) => [...alphabet].map((character) => character.charCodeAt(0))
)

const lastToFirst = alphabets.map((_, place) => width - 1 - place)

/** A swap corrects at most two positions. */
const maxMisfits = 2

/** Any character that is neither a letter nor a digit. */
const foreign = 0

/** Tries each character of the given likeness at each position, the last position first. */
const substitute = (search: Search, wanted: Likeness): void => {
  const { characters, limit, found, misfits } = search
  if (misfits.length > 1) return
  for (const at of misfits.length === 0 ? lastToFirst : misfits) {
    const written = characters[at] as number
    for (const meant of alphabets[at] as ReadonlyArray<number>) {
      if (found.length >= limit) return
      if (meant === written || likeness(written, meant) !== wanted) continue
      characters[at] = meant
      tryOut(search)
      characters[at] = written
    }
  }
}

/** Swaps each pair of neighbours, the last pair first. */
const swap = (search: Search): void => {
  const { characters, found, limit, misfits } = search
  for (let at = width - 2; at >= 0 && found.length < limit; at--) {
    const left = characters[at] as number
    const right = characters[at + 1] as number
    const mendsAll = misfits.every((place) => place === at || place === at + 1)
    if (left === right || !mendsAll || !fits(at, right) || !fits(at + 1, left)) continue
    characters[at] = right
    characters[at + 1] = left
    tryOut(search)
    characters[at] = left
    characters[at + 1] = right
  }
}

const tryOut = ({ characters, directory, found }: Search): void => {
  const postcode = postcodeOf(characters)
  if (directory.status(postcode) === "active") found.push(postcode)
}

/** The eleven characters of a text, in capitals; undefined if it has more or fewer. */
const charactersOf = (text: string): Array<number> | undefined => {
  if (typeof text !== "string" || text.length > maxInputLength) return undefined
  // Removes accents and converts full-width letters to ASCII.
  const plain = text.normalize("NFKD")
  const signs = plain.replace(/[^0-9A-Za-z]+/g, "")
  if (signs.length === width) return [...signs.toUpperCase()].map((sign) => sign.charCodeAt(0))
  if (signs.length !== width - 1) return undefined
  // One sign in place of a letter or digit: `LA-12-A#3-BG-07`.
  const places = [...plain.replace(/[\s\p{Dash_Punctuation}\u2212]+/gu, "")]
  if (places.length !== width) return undefined
  return places.map((sign) => (/[0-9A-Za-z]/.test(sign) ? sign.toUpperCase().charCodeAt(0) : foreign))
}

const fits = (at: number, code: number): boolean => (alphabets[at] as ReadonlyArray<number>).includes(code)

const misfitsOf = (characters: ReadonlyArray<number>): ReadonlyArray<number> => {
  const misfits: Array<number> = []
  for (let at = 0; at < width; at++) if (!fits(at, characters[at] as number)) misfits.push(at)
  return misfits
}

const postcodeOf = (characters: ReadonlyArray<number>): Postcode => {
  const c = characters as Eleven
  return String.fromCharCode(
    c[0],
    c[1],
    dash,
    c[2],
    c[3],
    dash,
    c[4],
    c[5],
    c[6],
    dash,
    c[7],
    c[8],
    dash,
    c[9],
    c[10]
  ) as Postcode
}

type Eleven = readonly [number, number, number, number, number, number, number, number, number, number, number]

const dash = 0x2d

/** How likely it is that one character is typed for another. */
type Likeness = typeof anyOther | typeof besideKey | typeof lookAlike

const anyOther = 0
const besideKey = 1
const lookAlike = 2

const likeness = (written: number, meant: number): Likeness =>
  written === foreign ? anyOther : (likenesses[cell(written, meant)] as Likeness)

const lookAlikes = ["0O", "1IL", "2Z", "5S", "6G", "8B"]

/** A keyboard: each row stands half a key to the right of the one above it. */
const keyRows = ["1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]

const firstCode = 0x30
const codes = 0x5b - firstCode

/** Index of a pair of characters in the table of likenesses. */
const cell = (written: number, meant: number): number => (written - firstCode) * codes + meant - firstCode

const tableOfLikenesses = (): Uint8Array => {
  const table = new Uint8Array(codes * codes)
  const relate = (a: string, b: string | undefined, kind: Likeness): void => {
    if (b === undefined) return
    table[cell(a.charCodeAt(0), b.charCodeAt(0))] = kind
    table[cell(b.charCodeAt(0), a.charCodeAt(0))] = kind
  }
  for (const [number, row] of keyRows.entries()) {
    const above = keyRows[number - 1]
    for (const [place, key] of [...row].entries()) {
      for (const beside of [row[place + 1], above?.[place], above?.[place + 1]]) relate(key, beside, besideKey)
    }
  }
  // Last, because a look-alike outranks a neighbouring key: O is next to 9 and 0.
  for (const group of lookAlikes) for (const a of group) for (const b of group) relate(a, b, lookAlike)
  return table
}

const likenesses = tableOfLikenesses()
