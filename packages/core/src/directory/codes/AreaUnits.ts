/**
 * The units of each area and their status: eight words per area, half a cache line, so that one read returns existence,
 * id and status.
 *
 * There are two bitmaps of four words, of existing and of active units, with a bit for each value of the unit segment,
 * lowest first. There are 100 values, so the last word of each bitmap needs only four bits. Bits 4 to 31 of word 3 are
 * the id of the area's first unit. Bits 8 to 31 of word 7 are the numbers of units with values below 32, 64 and 96, in
 * 8 bits each.
 *
 * A unit's id is the first one's plus the number of the area's units with lower values.
 */
import { countBits, lowestBit } from "./Bits.ts"

export const wordsPerArea = 8

/** An id has 28 bits. */
export const maxUnits = 2 ** 28

/** The status of a unit, as a number. */
export const absent = 0
export const retired = 1
export const active = 2

/** The bits of the last word of a bitmap that belong to it. */
export const lastWordBits = 0xf

/** The id of the first unit. */
export const firstIdIn = (words: Uint32Array, area: number): number => (words[wordsPerArea * area + 3] as number) >>> 4

// The next two functions have no branches, because existence is unpredictable. Area −1 is read as area 0, and the
// result is masked.

/** The id of the unit with a value, or −1; −1 in area −1. */
export const idIn = (words: Uint32Array, area: number, unit: number): number => {
  const isArea = ~(area >> 31)
  const start = wordsPerArea * (area & isArea)
  const word = unit >>> 5
  const bits = words[start + word] as number
  const exists = (bits >>> (unit & 31)) & isArea & 1
  const before = unitsBelow(words[start + 7] as number, word) + countBits(bits & ((1 << (unit & 31)) - 1))
  return (((words[start + 3] as number) >>> 4) + before) | (exists - 1)
}

/** The status of the unit with a value: `absent`, `retired` or `active`; `absent` in area −1. */
export const statusIn = (words: Uint32Array, area: number, unit: number): number => {
  const isArea = ~(area >> 31)
  const at = wordsPerArea * (area & isArea) + (unit >>> 5)
  const exists = ((words[at] as number) >>> (unit & 31)) & 1
  return (exists + (((words[at + 4] as number) >>> (unit & 31)) & 1)) & isArea
}

/** The value of the unit with an id, which must be in the area. */
export const unitIn = (words: Uint32Array, area: number, id: number): number => {
  const start = wordsPerArea * area
  const counts = words[start + 7] as number
  const rank = id - firstIdIn(words, area)
  let word = 3
  while (rank < unitsBelow(counts, word)) word--
  let bits = words[start + word] as number
  for (let left = rank - unitsBelow(counts, word); left > 0; left--) bits &= bits - 1
  return 32 * word + lowestBit(bits)
}

/** The bits of existing units with values from 32 · `word` on. */
export const existingWord = (words: Uint32Array, area: number, word: number): number =>
  (words[wordsPerArea * area + word] as number) & (word === 3 ? lastWordBits : -1)

/** The bits of active units with values from 32 · `word` on. */
export const activeWord = (words: Uint32Array, area: number, word: number): number =>
  (words[wordsPerArea * area + 4 + word] as number) & (word === 3 ? lastWordBits : -1)

/** Number of existing units. */
export const unitsIn = (words: Uint32Array, area: number): number =>
  unitsBelow(words[wordsPerArea * area + 7] as number, 3) + countBits(existingWord(words, area, 3))

/** Number of active units. */
export const activeIn = (words: Uint32Array, area: number): number => {
  const start = wordsPerArea * area + 4
  return (
    countBits(words[start] as number) +
    countBits(words[start + 1] as number) +
    countBits(words[start + 2] as number) +
    countBits((words[start + 3] as number) & lastWordBits)
  )
}

/** Sets the id of the first unit of an empty area. */
export const beginArea = (words: Uint32Array, area: number, firstId: number): void => {
  words[wordsPerArea * area + 3] = firstId << 4
}

/** Adds a unit with a value above all others in the area. */
export const addUnit = (words: Uint32Array, area: number, unit: number, isActive: boolean): void => {
  const start = wordsPerArea * area
  const word = unit >>> 5
  const bit = 1 << (unit & 31)
  words[start + word] = (words[start + word] as number) | bit
  if (isActive) words[start + 4 + word] = (words[start + 4 + word] as number) | bit
  // Increments the numbers below 32, 64 and 96 where the value is below.
  words[start + 7] = (words[start + 7] as number) + (0x01010100 << (8 * word))
}

/** Number of existing units below value 32 · `word`, from the last word of an area. */
const unitsBelow = (counts: number, word: number): number => ((counts & ~0xff) >>> (8 * word)) & 0xff
