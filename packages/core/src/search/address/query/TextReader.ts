/** Reads one text of the index: which words of the query it contains, and the cost of those that the query lacks. */
import type { AddressIndex } from "../../../directory/text/AddressIndex.ts"
import { indexedStreetWords } from "./StreetWords.ts"
import type { Initials, WordMatches } from "./WordMatches.ts"

const droppedNumeral = 3
const droppedRare = 3.2
const droppedGeneric = 1.4
const initialsCost = 2
const initialCost = 1
/** A word in one text of a hundred says what kind of place it is; one in 700 tells it apart. */
const rarities = { generic: 4.6, rare: 6.5 }

/** In the names of streets. */
const titles = "alhaji alhaja hajiya chief prof professor engr sir general gen pastor malam mallam oba hon".split(" ")

export class TextReader {
  /** The words of the query that the text contains. */
  mask = 0
  /** Of the words that were found: how badly they are written. */
  cost = 0
  /** Of the words that the query lacks. */
  dropped = 0
  /** Of these, words such as `street` and `alhaji`, which people leave out: `32 Adeola Odeku`. */
  droppedStreets = 0
  /** Number of the text's words that were found. */
  found = 0
  /** The words of the query that tell the text apart. */
  rareMask = 0
  private readonly index: AddressIndex
  private readonly matches: WordMatches
  private readonly genericRarity: number
  private readonly rareRarity: number
  private readonly streets: ReadonlySet<number>

  /** @param texts number of texts that the rarities of words come from */
  constructor(index: AddressIndex, matches: WordMatches, texts: number) {
    this.index = index
    this.matches = matches
    // Small directories have no rare words.
    this.streets = new Set([...indexedStreetWords, ...titles].map((word) => matches.wordOf(word)))
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
    let droppedStreets = 0
    let count = 0
    let rareMask = 0
    const start = textWordStarts[text] as number
    const end = textWordStarts[text + 1] as number
    for (let at = start; at < end; at++) {
      const word = textWords[at] as number
      const found = (masks[word] as number) & side
      if (found === 0) {
        const initial = matches.letters === 0 ? 0 : this.initialOf(word, at + 1 < end ? at + 1 : -1, side)
        if (initial === 0) {
          const lost = this.droppedCost(word)
          dropped += lost
          if (this.streets.has(word)) droppedStreets += lost
        } else {
          mask |= initial
          cost += initialCost
          count++
        }
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
    this.droppedStreets = droppedStreets
    this.found = count
    this.rareMask = rareMask
    if (dropped === 0) return
    for (const initials of matches.initials) if ((initials.mask & side) !== 0) this.readInitials(initials, start, end)
  }

  /** The letter of the query before the next word of the text that is a word's initial: `A. Bello` is Ahmadu Bello. */
  private initialOf(word: number, next: number, side: number): number {
    const { index, matches } = this
    // `B Close` is hardly Bankole Close.
    if (next >= 0 && this.streets.has(index.textWords[next] as number)) return 0
    const first = index.wordBytes[index.wordStarts[word] as number] as number
    const after = next < 0 ? 0 : (matches.masks[index.textWords[next] as number] as number)
    for (let rest = matches.letters & side & (after >>> 1); rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      if (matches.letterAt(bit) === first) return bit
    }
    return 0
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
