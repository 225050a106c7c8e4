/**
 * Which units each area has, and which of them are active: eight words an area, half a cache line, so that one read tells
 * whether a unit exists, its id and its status.
 *
 * They are two bitmaps of four words, one of the units that exist and one of the active ones, with a bit for each value
 * of the unit segment, lowest first. There are 100 values, so the last word of each bitmap needs four bits only. Bits 4
 * to 31 of word 3 are the id of the area's first unit. Bits 8 to 31 of word 7 say how many units have values below 32, 64
 * and 96, in 8 bits each.
 *
 * A unit's id is the first one's plus how many of the area's units have lower values.
 */
import { countBits, lowestBit } from "./Bits.ts"

export const wordsPerArea = 8

/** An id has 28 bits. */
export const maxUnits = 2 ** 28

/** What a unit's status is, as a number. A state, here as elsewhere, is what a postcode begins with. */
export const absent = 0
export const retired = 1
export const active = 2

/** The bits of the last word of a bitmap that belong to it. */
export const lastWordBits = 0xf

/** The id of the first unit. */
export const firstIdIn = (words: Uint32Array, area: number): number => (words[wordsPerArea * area + 3] as number) >>> 4

// Which units exist cannot be foreseen, so the two below do not branch on it: area −1, which has none, is read as area 0,
// and what is read there is masked.

/** The id of the unit with that value, or −1, as always in area −1. */
export const idIn = (words: Uint32Array, area: number, unit: number): number => {
  const isArea = ~(area >> 31)
  const start = wordsPerArea * (area & isArea)
  const word = unit >>> 5
  const bits = words[start + word] as number
  const exists = (bits >>> (unit & 31)) & isArea & 1
  const before = unitsBelow(words[start + 7] as number, word) + countBits(bits & ((1 << (unit & 31)) - 1))
  return (((words[start + 3] as number) >>> 4) + before) | (exists - 1)
}

/** The status of the unit with that value: `absent`, as always in area −1, `retired` or `active`. */
export const statusIn = (words: Uint32Array, area: number, unit: number): number => {
  const isArea = ~(area >> 31)
  const at = wordsPerArea * (area & isArea) + (unit >>> 5)
  const exists = ((words[at] as number) >>> (unit & 31)) & 1
  return (exists + (((words[at + 4] as number) >>> (unit & 31)) & 1)) & isArea
}

/** The value of the unit with that id, which is one of the area's. */
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

/** The word with the bits of values 32 · `word` and up of the units that exist. */
export const existingWord = (words: Uint32Array, area: number, word: number): number =>
  (words[wordsPerArea * area + word] as number) & (word === 3 ? lastWordBits : -1)

/** The same for those that are active. */
export const activeWord = (words: Uint32Array, area: number, word: number): number =>
  (words[wordsPerArea * area + 4 + word] as number) & (word === 3 ? lastWordBits : -1)

/** How many units exist. */
export const unitsIn = (words: Uint32Array, area: number): number =>
  unitsBelow(words[wordsPerArea * area + 7] as number, 3) + countBits(existingWord(words, area, 3))

/** How many of them are active. */
export const activeIn = (words: Uint32Array, area: number): number => {
  const start = wordsPerArea * area + 4
  return (
    countBits(words[start] as number) +
    countBits(words[start + 1] as number) +
    countBits(words[start + 2] as number) +
    countBits((words[start + 3] as number) & lastWordBits)
  )
}

/** Makes an empty area one that begins with a unit id. */
export const beginArea = (words: Uint32Array, area: number, firstId: number): void => {
  words[wordsPerArea * area + 3] = firstId << 4
}

/** Adds a unit whose value is above those that are there. */
export const addUnit = (words: Uint32Array, area: number, unit: number, isActive: boolean): void => {
  const start = wordsPerArea * area
  const word = unit >>> 5
  const bit = 1 << (unit & 31)
  words[start + word] = (words[start + word] as number) | bit
  if (isActive) words[start + 4 + word] = (words[start + 4 + word] as number) | bit
  // One more below those of 32, 64 and 96 that it is below itself.
  words[start + 7] = (words[start + 7] as number) + (0x01010100 << (8 * word))
}

/** How many units exist below value 32 · `word`, as the last word of an area says. */
const unitsBelow = (counts: number, word: number): number => ((counts & ~0xff) >>> (8 * word)) & 0xff
