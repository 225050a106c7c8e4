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
  /** Whether the number is not quite that of the house: 12 for `12A`, 29 for `29/31`. */
  readonly isNear: boolean
}

const unmentionedNumber = 1
/** The house with that very number or flat is meant rather than this one. */
const nearNumber = 6
const missingFlat = 8

/**
 * @param words the numerals that may be the house's
 * @param named the words of the street
 */
export const houseOf = (
  index: AddressIndex,
  query: Query,
  name: number,
  locality: number,
  words: number,
  named: number
): House => {
  const start = index.nameUnits[name] as number
  const end = nameEnd(index, name, locality)
  const house = { start, end, mask: 0, cost: 0, isMissing: false, isWhole: true, isNear: false }
  if (index.numbers.length === 0 || end === start || index.numbers[end - 1] === 0) return house
  const written = numberIn(query, words, named)
  if (written === undefined) return { ...house, cost: unmentionedNumber, isWhole: false }
  const { letter, mask, number, others } = written
  const found = unitsOf(index, house, houseNumber(number, letter, 0))
  if (found !== undefined) {
    // Both numbers of a range may be units.
    const isWhole = others === 0 || secondOf(index, query, house, others) === undefined
    return atFlat(index, { ...house, ...found, mask: mask | others, isNear: others !== 0, isWhole }, query)
  }
  const near = letter === 0 ? undefined : unitsOf(index, house, houseNumber(number, 0, 0))
  if (near !== undefined)
    return atFlat(index, { ...house, ...near, mask: mask | others, cost: nearNumber, isNear: true }, query)
  const second = secondOf(index, query, house, others)
  if (second !== undefined)
    return atFlat(index, { ...house, ...second, mask: mask | others, cost: nearNumber, isNear: true }, query)
  return { ...house, isMissing: true }
}

const secondOf = (index: AddressIndex, query: Query, house: House, others: number): Range | undefined => {
  const other = others === 0 ? undefined : parse(query, 31 - Math.clz32(others))
  return other && unitsOf(index, house, houseNumber(other.number, other.letter, 0))
}

type Range = Pick<House, "start" | "end">

/** The units of a house, with its flats; undefined if the street does not have it. */
const unitsOf = ({ numbers }: AddressIndex, { end, start }: Range, wanted: number): Range | undefined => {
  if (wanted === 0) return undefined
  const first = firstAtLeast(numbers, start, end, wanted)
  const last = firstAtLeast(numbers, first, end, wanted + 1024)
  return first === last ? undefined : { start: first, end: last }
}

/** The flat of a house that is a unit; the house itself if it is one. */
const atFlat = ({ numbers }: AddressIndex, house: House, { flat }: Query): House => {
  if (flat === 0) return house
  const base = (numbers[house.start] as number) & ~1023
  const at = firstAtLeast(numbers, house.start, house.end, base + flat)
  if (at < house.end && numbers[at] === base + flat) {
    return { ...house, start: at, end: firstAtLeast(numbers, at, house.end, base + flat + 1) }
  }
  const whole = firstAtLeast(numbers, house.start, house.end, base + 1)
  // A house of which no flat is listed.
  if (whole === house.end) return house
  return whole > house.start
    ? { ...house, end: whole, cost: house.cost + nearNumber }
    : { ...house, cost: house.cost + missingFlat, isWhole: false, isMissing: true }
}

interface Written {
  readonly number: number
  readonly letter: number
  /** The words of it. */
  readonly mask: number
  /** The words of the second number of a range. */
  readonly others: number
}

/** The number nearest to the street: directly before it, directly after it, or else the first. */
const numberIn = (query: Query, words: number, named: number): Written | undefined => {
  const at = positionOf(query, words, named)
  if (at < 0) return undefined
  const read = parse(query, at)
  if (read === undefined) return undefined
  const pair = query.ranges & (1 << at)
  const others = pair === 0 ? 0 : query.ranges & words & ((1 << (at + 1)) | (at > 0 ? 1 << (at - 1) : 0))
  const isLast = others !== 0 && (others & (1 << (at - 1))) !== 0
  // `29/31`: the first of both.
  const first = isLast ? parse(query, at - 1) : undefined
  if (first !== undefined) return { ...first, mask: 1 << (at - 1), others: 1 << at }
  const next = (words & (1 << (at + 1))) === 0 ? "" : (query.words[at + 1] as string)
  const isLetter = read.letter === 0 && /^[a-z]$/.test(next)
  return isLetter
    ? { number: read.number, letter: letterValue(next), mask: 3 << at, others }
    : { ...read, mask: 1 << at, others }
}

const positionOf = (query: Query, words: number, named: number): number => {
  const isNumber = (at: number): boolean => at >= 0 && (words & (1 << at)) !== 0 && parse(query, at) !== undefined
  const first = 31 - Math.clz32(named & -named)
  let before = first - 1
  while (before > 0 && ((query.fillers & (1 << before)) !== 0 || /^[a-z]$/.test(query.words[before] as string)))
    before--
  if (isNumber(before)) return before
  const after = 32 - Math.clz32(named)
  if (isNumber(after)) return after
  for (let at = 0; at < query.words.length; at++) if (isNumber(at)) return at
  return -1
}

const parse = (query: Query, at: number): Pick<Written, "letter" | "number"> | undefined => {
  const written = /^(\d{1,6})([a-z])?$/.exec(query.words[at] as string)
  return written === null ? undefined : { number: Number(written[1]), letter: letterValue(written[2] ?? "") }
}
