/**
 * The postcodes that are one typing error away from a text, by kind of error; see `Corrections` for the order. Whether
 * they exist is not asked here.
 */
import { anyOther, besideKey, foreign, type Likeness, likeness, lookAlike } from "./KeyLikeness.ts"
import { maxInputLength, type Postcode } from "./Postcode.ts"

/**
 * The letters and digits of a text as ASCII codes of capitals. Case, separators, accents and signs around them are
 * dropped. A sign that stands for one missing character, as in `LA-12-A#3-BG-07`, is `foreign`. Undefined if the length
 * differs from that of a postcode by more than one.
 */
export const signsOf = (text: string): ReadonlyArray<number> | undefined => {
  if (typeof text !== "string" || text.length > maxInputLength) return undefined
  // Removes accents and converts full-width letters to ASCII.
  const plain = text.normalize("NFKD")
  const signs = plain.replace(/[^0-9A-Za-z]+/g, "")
  if (Math.abs(signs.length - width) > 1) return undefined
  const whole = signs.length === width - 1 ? withForeign(plain) : undefined
  return whole ?? [...signs.toUpperCase()].map((sign) => sign.charCodeAt(0))
}

/** The postcode that the signs spell, if they do. */
export const spelledBy = (signs: ReadonlyArray<number>): Postcode | undefined =>
  signs.length === width && misfitsOf(signs).length === 0 ? postcodeOf(signs) : undefined

/** Called with one postcode after the other until it returns false. */
type Visit = (postcode: Postcode) => boolean

/** Visits the postcodes that one kind of error leads to, the most likely first. */
export type Slip = (visit: Visit) => void

/** The kinds of errors, the most likely first. Each postcode that is one error away is visited by one of them, once. */
export const slipsFrom = (signs: ReadonlyArray<number>): ReadonlyArray<Slip> => {
  if (signs.length === width - 1) return [inserted(signs, true), inserted(signs, false)]
  if (signs.length === width + 1) return [removed(signs, true), removed(signs, false)]
  const misfits = misfitsOf(signs)
  // A swap corrects two positions, and nothing corrects more.
  if (misfits.length > 2) return []
  return [
    substituted(signs, misfits, lookAlike),
    swapped(signs, misfits),
    substituted(signs, misfits, besideKey),
    substituted(signs, misfits, anyOther)
  ]
}

/** Each character of the given likeness at each position, the last position first. */
const substituted =
  (signs: ReadonlyArray<number>, misfits: ReadonlyArray<number>, wanted: Likeness): Slip =>
  (visit) => {
    if (misfits.length > 1) return
    const meant = [...signs]
    for (const at of misfits.length === 0 ? lastToFirst : misfits) {
      const written = signs[at] as number
      for (const sign of alphabetAt(at)) {
        if (sign === written || likeness(written, sign) !== wanted) continue
        meant[at] = sign
        if (!visit(postcodeOf(meant))) return
      }
      meant[at] = written
    }
  }

/** Each pair of neighbours swapped, the last pair first. */
const swapped =
  (signs: ReadonlyArray<number>, misfits: ReadonlyArray<number>): Slip =>
  (visit) => {
    const meant = [...signs]
    for (let at = width - 2; at >= 0; at--) {
      const left = signs[at] as number
      const right = signs[at + 1] as number
      const mendsAll = misfits.every((place) => place === at || place === at + 1)
      if (left === right || !mendsAll || !fits(at, right) || !fits(at + 1, left)) continue
      meant[at] = right
      meant[at + 1] = left
      if (!visit(postcodeOf(meant))) return
      meant[at] = left
      meant[at + 1] = right
    }
  }

/** A character added at each position, the last first: either the leading zero of a number, or any other. */
const inserted =
  (signs: ReadonlyArray<number>, isZero: boolean): Slip =>
  (visit) => {
    const first = firstWhere(signs, (at) => suffixFits(signs, at, 1))
    for (let at = prefixLength(signs); at >= first; at--) {
      const meant = [...signs.slice(0, at), foreign, ...signs.slice(at)]
      for (const sign of alphabetAt(at)) {
        // Before or after its own equal gives the same postcode.
        if (sign === signs[at] || (sign === zero && startsNumber(at)) !== isZero) continue
        meant[at] = sign
        if (!visit(postcodeOf(meant))) return
      }
    }
  }

/** One character dropped, the last first: either one of a doubled character, or any other. */
const removed =
  (signs: ReadonlyArray<number>, isDoubled: boolean): Slip =>
  (visit) => {
    const first = firstWhere(signs, (at) => suffixFits(signs, at + 1, -1))
    for (let at = prefixLength(signs); at >= first; at--) {
      // Of equal neighbours, only the last is dropped.
      if (signs[at] === signs[at + 1] || (signs[at] === signs[at - 1]) !== isDoubled) continue
      if (!visit(postcodeOf(signs.filter((_, place) => place !== at)))) return
    }
  }

const width = 11
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const digits = "0123456789"
const either = digits + letters
const zero = 0x30
const dash = 0x2d

/** The characters allowed at each position, in code order. */
const alphabets = [letters, letters, digits, digits, either, either, either, letters, letters, digits, digits].map(
  (alphabet) => [...alphabet].map((character) => character.charCodeAt(0))
)

const lastToFirst = alphabets.map((_, place) => width - 1 - place)

const alphabetAt = (at: number): ReadonlyArray<number> => alphabets[at] as ReadonlyArray<number>

/** Whether a position is the first digit of an LGA or of a unit. */
const startsNumber = (at: number): boolean => at === 2 || at === 9

const fits = (at: number, sign: number): boolean => alphabets[at]?.includes(sign) ?? false

const misfitsOf = (signs: ReadonlyArray<number>): ReadonlyArray<number> =>
  signs.flatMap((sign, at) => (fits(at, sign) ? [] : [at]))

/** The number of leading signs that fit where they stand. */
const prefixLength = (signs: ReadonlyArray<number>): number => {
  const misfit = signs.findIndex((sign, at) => !fits(at, sign))
  return misfit === -1 ? signs.length : misfit
}

/** Whether all signs from a position on fit where they stand after a shift. */
const suffixFits = (signs: ReadonlyArray<number>, from: number, shift: 1 | -1): boolean =>
  signs.slice(from).every((sign, i) => fits(from + i + shift, sign))

/** The first position that meets a condition which all later ones meet, too. */
const firstWhere = (signs: ReadonlyArray<number>, holds: (at: number) => boolean): number => {
  let at = signs.length
  while (at > 0 && holds(at - 1)) at--
  return at
}

/** A sign in place of one character; undefined if there is none between letters and digits, or more than one. */
const withForeign = (plain: string): ReadonlyArray<number> | undefined => {
  const places = [...plain.replace(/[\s\p{M}\p{Dash_Punctuation}\u2212]+/gu, "")].map((sign) =>
    /[0-9A-Za-z]/.test(sign) ? sign.toUpperCase().charCodeAt(0) : foreign
  )
  const isForeign = (sign: number): boolean => sign === foreign
  const within = places.slice(
    places.findIndex((sign) => !isForeign(sign)),
    places.findLastIndex((sign) => !isForeign(sign)) + 1
  )
  return within.length === width ? within : undefined
}

const postcodeOf = (signs: ReadonlyArray<number>): Postcode => {
  const c = signs as Eleven
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
