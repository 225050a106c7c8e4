/** The rarities of a small index by those of a large one, since a few texts say little of how rare a word is. */
import type { AddressIndex } from "./AddressIndex.ts"

/** The words of an index. */
export type IndexedWords = Pick<AddressIndex, "wordBytes" | "wordRarities" | "wordStarts">

/** Of a word that the large index does not have: what a search assumes of unknown words. */
const unknown = 16 * 12

export const scaleRarities = (index: AddressIndex, by: IndexedWords): AddressIndex => {
  // Both lists are in the order of their bytes.
  let at = 0
  const wordRarities = index.wordRarities.map((_, word) => {
    while (at < by.wordRarities.length && compare(by, at, index, word) < 0) at++
    return at < by.wordRarities.length && compare(by, at, index, word) === 0 ? (by.wordRarities[at] as number) : unknown
  })
  return { ...index, wordRarities }
}

const compare = (a: IndexedWords, wordA: number, b: IndexedWords, wordB: number): number => {
  const startA = a.wordStarts[wordA] as number
  const startB = b.wordStarts[wordB] as number
  const lengthA = (a.wordStarts[wordA + 1] as number) - startA
  const lengthB = (b.wordStarts[wordB + 1] as number) - startB
  for (let at = 0; at < lengthA && at < lengthB; at++) {
    const difference = (a.wordBytes[startA + at] as number) - (b.wordBytes[startB + at] as number)
    if (difference !== 0) return difference
  }
  return lengthA - lengthB
}
