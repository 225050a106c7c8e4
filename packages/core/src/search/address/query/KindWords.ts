/**
 * The words for kinds of places, `primary school`, which people shorten in ways that nobody agreed on: `prim scho`,
 * `prmry schl`, `nps`: the words that have agreed abbreviations, and the most frequent ones.
 */
import { abbreviations } from "../../../directory/text/Abbreviations.ts"
import type { AddressIndex } from "../../../directory/text/AddressIndex.ts"
import { isContracted, isShortened } from "./isShortened.ts"

const maxFrequent = 128
const maxRarity = 7
const minLength = 3
const minShort = 2

export class KindWords {
  /** By number. */
  private readonly words: ReadonlyMap<number, string>
  private readonly index: AddressIndex

  /** @param numberOf the number of a word, or −1 */
  constructor(index: AddressIndex, numberOf: (word: string) => number) {
    this.index = index
    const listed = [...abbreviations.values()].flat().map(numberOf)
    const kinds = new Set([...mostFrequent(index), ...listed.filter((id) => id >= 0)])
    this.words = new Map([...kinds].map((id) => [id, wordAt(index, id)]))
  }

  has(id: number): boolean {
    return this.words.has(id)
  }

  /** Calls `found` for each word that may be shortened to one, and whether that is hard to recognize: `cmty`, `pr`. */
  shortened(written: string, found: (id: number, isHard: boolean) => void): void {
    if (written.length < minShort) return
    for (const [id, word] of this.words) {
      if (isShortened(written, word)) found(id, written.length < minLength)
      else if (isContracted(written, word)) found(id, true)
    }
  }

  /**
   * The position in `AddressIndex.textWords` of kinds that start with some letters, one after the other, or −1.
   *
   * @param start of the text's words (inclusive)
   * @param end of the text's words (exclusive)
   */
  initialsAt(letters: string, start: number, end: number): number {
    const { textWords } = this.index
    for (let first = start; first + letters.length <= end; first++) {
      let at = 0
      while (at < letters.length && this.words.get(textWords[first + at] as number)?.[0] === letters[at]) at++
      if (at === letters.length) return first
    }
    return -1
  }
}

/** The most frequent words, by lists for each rarity instead of sorting, because there may be millions. */
const mostFrequent = ({ wordRarities, wordStarts }: AddressIndex): ReadonlyArray<number> => {
  const byRarity: Array<Array<number>> = Array.from({ length: 16 * maxRarity + 1 }, () => [])
  for (let id = 0; id < wordRarities.length; id++) {
    const length = (wordStarts[id + 1] as number) - (wordStarts[id] as number)
    const list = length >= minLength ? byRarity[wordRarities[id] as number] : undefined
    if (list !== undefined && list.length < maxFrequent) list.push(id)
  }
  return byRarity.flat().slice(0, maxFrequent)
}

/** A word of the index, up to the first character outside ASCII. */
const wordAt = ({ wordBytes, wordStarts }: AddressIndex, id: number): string =>
  String.fromCharCode(...wordBytes.subarray(wordStarts[id] as number, wordStarts[id + 1] as number))
