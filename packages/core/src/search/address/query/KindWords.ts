/**
 * The words for kinds of places, `primary school`, which people shorten in ways that nobody agreed on: `prim scho`,
 * `prmry schl`, `nps`: the words that have agreed abbreviations, and the most frequent ones.
 */
import { abbreviations } from "../../../directory/text/Abbreviations.ts"
import type { AddressIndex } from "../../../directory/text/AddressIndex.ts"

const maxFrequent = 128
const maxRarity = 7
const minLength = 3

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

  /** Calls `found` for each word that may be shortened to one. */
  shortened(written: string, found: (id: number) => void): void {
    if (written.length < minLength) return
    for (const [id, word] of this.words) if (isShortened(written, word)) found(id)
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

/** Whether one word is the other's first letters, or the other without vowels. */
const isShortened = (written: string, word: string): boolean =>
  written[0] === word[0] && written.length < word.length && (word.startsWith(written) || isSkeleton(written, word))

/** Whether only vowels, and one of two equal letters, are left out. */
const isSkeleton = (written: string, word: string): boolean => {
  let at = 1
  for (let letter = 1; letter < word.length; letter++) {
    if (written[at] === word[letter]) at++
    else if (!vowels.includes(word[letter] as string) && word[letter] !== word[letter - 1]) return false
  }
  return at === written.length
}

const vowels = "aeiou"
