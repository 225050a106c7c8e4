/** The units of a street that a house number in a text selects. */
import { type AddressIndex, firstAtLeast, nameEnd } from "../../directory/text/AddressIndex.ts"
import { houseNumber, letterValue } from "../../directory/text/HouseNumber.ts"
import type { Query } from "./query/QueryText.ts"

export interface House {
  /** Units in `AddressIndex.units`, from `start` (inclusive) to `end` (exclusive). */
  readonly start: number
  readonly end: number
  /** The words of the number. */
  readonly mask: number
  readonly cost: number
  /** Whether the text has a number that the street does not have. */
  readonly isMissing: boolean
  /** Whether the text has a number if the street has some. */
  readonly isWhole: boolean
}

const unmentionedNumber = 1

/** @param words the numerals that may be the house's */
export const houseOf = (index: AddressIndex, query: Query, name: number, locality: number, words: number): House => {
  const start = index.nameUnits[name] as number
  const end = nameEnd(index, name, locality)
  const house = { start, end, mask: 0, cost: 0, isMissing: false, isWhole: true }
  if (index.numbers.length === 0 || end === start || index.numbers[end - 1] === 0) return house
  const { flat, letter, mask, number } = readNumber(query, words)
  if (number === 0) return { ...house, cost: unmentionedNumber, isWhole: false }
  const wanted = houseNumber(number, letter, 0)
  const first = firstAtLeast(index.numbers, start, end, wanted)
  const last = firstAtLeast(index.numbers, first, end, wanted + 1024)
  if (first === last || wanted === 0) return { ...house, isMissing: true }
  if (flat === 0) return { ...house, start: first, end: last, mask }
  const exact = houseNumber(number, letter, flat)
  const at = firstAtLeast(index.numbers, first, last, exact)
  if (at < last && index.numbers[at] === exact) {
    return { ...house, start: at, end: firstAtLeast(index.numbers, at, last, exact + 1), mask }
  }
  return { ...house, start: first, end: last, mask: mask & ~query.flats, isWhole: false, isMissing: true }
}

const readNumber = (query: Query, words: number) => {
  const read = { flat: 0, number: 0, letter: 0, mask: 0 }
  for (let rest = words; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest
    const written = /^(\d{1,6})([a-z])?$/.exec(query.words[31 - Math.clz32(bit)] as string)
    if (written === null) continue
    if ((query.flats & bit) !== 0) {
      read.flat = Number(written[1])
      read.mask |= bit
    } else if (read.number === 0) {
      const next = (words & (bit << 1)) === 0 ? "" : (query.words[32 - Math.clz32(bit)] as string)
      const isLetter = written[2] === undefined && /^[a-z]$/.test(next)
      read.number = Number(written[1])
      read.letter = letterValue(isLetter ? next : (written[2] ?? ""))
      read.mask |= isLetter ? bit | (bit << 1) : bit
    }
  }
  return read
}
