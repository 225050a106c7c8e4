/** Reads one text of the index: which words of the query it contains, and the cost of those that the query lacks. */
import type { AddressIndex } from "../../../directory/text/AddressIndex.ts"
import type { Initials, WordMatches } from "./WordMatches.ts"

const droppedNumeral = 3
const droppedRare = 3.2
const droppedGeneric = 1.4
const initialsCost = 2
/** A word in one text of a hundred says what kind of place it is; one in 700 tells it apart. */
const rarities = { generic: 4.6, rare: 6.5 }

export class TextReader {
  /** The words of the query that the text contains. */
  mask = 0
  /** Of the words that were found: how badly they are written. */
  cost = 0
  /** Of the words that the query lacks. */
  dropped = 0
  /** Number of the text's words that were found. */
  found = 0
  /** The words of the query that tell the text apart. */
  rareMask = 0
  private readonly index: AddressIndex
  private readonly matches: WordMatches
  private readonly genericRarity: number
  private readonly rareRarity: number

  /** @param texts number of texts that the rarities of words come from */
  constructor(index: AddressIndex, matches: WordMatches, texts: number) {
    this.index = index
    this.matches = matches
    // Small directories have no rare words.
    const rarest = Math.log(texts)
    this.genericRarity = Math.min(rarities.generic, 0.5 * rarest)
    this.rareRarity = Math.min(rarities.rare, 0.7 * rarest)
  }

  /** @param side the words of the query that the text may contain */
  read(text: number, side: number): void {
    const { textWords, textWordStarts, wordRarities } = this.index
    const { matches } = this
    const { costs, masks } = matches
    let mask = 0
    let cost = 0
    let dropped = 0
    let count = 0
    let rareMask = 0
    const start = textWordStarts[text] as number
    const end = textWordStarts[text + 1] as number
    for (let at = start; at < end; at++) {
      const word = textWords[at] as number
      const found = (masks[word] as number) & side
      if (found === 0) {
        dropped += this.droppedCost(word)
        continue
      }
      mask |= found
      cost += costs[word] as number
      count++
      if ((wordRarities[word] as number) > 16 * this.rareRarity) rareMask |= found
    }
    this.mask = mask
    this.cost = cost
    this.dropped = dropped
    this.found = count
    this.rareMask = rareMask
    if (dropped === 0) return
    for (const initials of matches.initials) if ((initials.mask & side) !== 0) this.readInitials(initials, start, end)
  }

  /** Words of the text whose initials the query has count as found. */
  private readInitials({ letters, mask }: Initials, start: number, end: number): void {
    const { kinds, masks } = this.matches
    const first = kinds.initialsAt(letters, start, end)
    if (first < 0) return
    this.mask |= mask
    this.cost += initialsCost
    this.found += letters.length
    for (let at = first; at < first + letters.length; at++) {
      const word = this.index.textWords[at] as number
      if (masks[word] === 0) this.dropped -= this.droppedCost(word)
    }
  }

  private droppedCost(word: number): number {
    if (this.isNumeral(word)) return droppedNumeral
    const rarity = (this.index.wordRarities[word] as number) / 16
    const share = (rarity - this.genericRarity) / (this.rareRarity - this.genericRarity)
    return droppedGeneric + (droppedRare - droppedGeneric) * Math.min(1, Math.max(0, share))
  }

  private isNumeral(word: number): boolean {
    const { wordBytes, wordStarts } = this.index
    const start = wordStarts[word] as number
    const first = wordBytes[start] as number
    return (wordStarts[word + 1] as number) - start === 1 || (first >= 0x30 && first <= 0x39)
  }
}
