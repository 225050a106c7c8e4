/** Which words of the index the words of a text may mean, and at what cost. */
import { countBits } from "../../../directory/codes/Bits.ts"
import type { AddressIndex } from "../../../directory/text/AddressIndex.ts"
import { errorsBetween } from "../../../directory/text/errorsBetween.ts"
import { forEachMeant } from "../../../directory/text/Misspellings.ts"
import { isNumeral } from "../../../directory/text/Words.ts"
import { isMisspelled } from "./isMisspelled.ts"
import { isShortened } from "./isShortened.ts"
import { KindWords } from "./KindWords.ts"
import type { Query } from "./QueryText.ts"

/** Costs are negative log-probabilities. */
const typingErrorCost = 5
const secondErrorCost = 8.5
const joinedCost = 0.5
const splitCost = 2.5
const shortenedCost = 1.5
const contractedCost = 2.5
/** Of a word that only the locality explains. */
export const nearShortenedCost = 4
const thirdErrorCost = 10
/** The share of an unknown word. */
const unknownRarity = 12
const numeralRarity = 4.5
const maxSplitLength = 20
const minKind = 4
/** Comparisons for misspelled words, and words found, in one text: 200 characters lead to 200 buckets of 6, twice. */
const maxCompared = 3_072
/** Words of names that are compared in named localities. */
const maxNear = 1_024
const maxFound = 2_048

export interface Initials {
  readonly letters: string
  readonly mask: number
}

export class WordMatches {
  /** By word of the index: the words of the text that may mean it, 0 for none, and the cost. */
  readonly masks: Uint32Array
  readonly costs: Float32Array
  /** The matched words of the index. */
  readonly found: Array<number> = []
  /** By word of the text: how rare it is, as −ln of its share of texts. */
  readonly rarities: Float64Array = new Float64Array(32)
  /** The words of the text that are one letter, which may be initials. */
  letters = 0
  private words: ReadonlyArray<string> = []
  /** The words of the text that the index does not have. */
  private unknown = 0
  /** The words of the text that are recognized only beside a named locality. */
  far = 0
  /** Words of the index that were compared with those of the text for it. */
  private readonly near = new Set<number>()
  private compared = 0
  readonly kinds: KindWords
  /** The words of the text that may be the initials of several words. */
  readonly initials: Array<Initials> = []
  private readonly index: AddressIndex
  private readonly scratch: Uint8Array = new Uint8Array(3 * 32)

  constructor(index: AddressIndex) {
    this.index = index
    this.masks = new Uint32Array(index.wordRarities.length)
    this.costs = new Float32Array(index.wordRarities.length)
    this.kinds = new KindWords(index, (word) => this.wordOf(word))
  }

  /** Matches words as they are, in one or in two parts; and misspelled ones if the index does not have them. */
  read(query: Query): void {
    for (const word of this.found) this.masks[word] = 0
    this.found.length = 0
    this.initials.length = 0
    const { words } = query
    this.words = words
    this.letters = 0
    this.unknown = 0
    this.far = 0
    this.near.clear()
    this.compared = 0
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string
      if (word.length === 1 && !isDigits(word)) this.letters |= 1 << at
      const id = this.wordOf(word)
      this.rarities[at] = isNumeral(word)
        ? numeralRarity
        : id < 0
          ? unknownRarity
          : (this.index.wordRarities[id] as number) / 16
      const twin = ordinals.get(word)
      const other = twin === undefined ? -1 : this.wordOf(twin)
      if (id >= 0) this.add(id, 1 << at, 0)
      if (other >= 0) this.add(other, 1 << at, 0)
      if (id < 0 && other < 0) this.unknown |= 1 << at
    }
    for (let at = 0; at + 1 < words.length; at++) this.join(query, at)
    if (this.unknown !== 0) this.readMisspelled(query, this.unknown & ~query.relation & ~query.fillers)
  }

  /** Matches some words of the text with words that they may be misspelled for, except for those that are certain. */
  readMisspelled(query: Query, some: number, certain = 0): void {
    const { words } = query
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string
      if ((some & (1 << at)) === 0 || isNumeral(word)) continue
      this.split(word, 1 << at)
      if ((certain & (1 << at)) !== 0) continue
      this.misspelled(word, 1 << at)
      const isUnknown = (this.unknown & (1 << at)) !== 0
      this.kinds.shortened(word, (id, isHard) => {
        // A word that exists is hardly contracted from another one.
        if (isUnknown || !isHard) this.add(id, 1 << at, isHard ? contractedCost : shortenedCost)
      })
      if (isInitials(word)) this.initials.push({ letters: word, mask: 1 << at })
      this.readAbbreviation(query, at)
    }
  }

  /** `hc` is not only a health centre, but also a health clinic. */
  private readAbbreviation({ origins, raw, words }: Query, at: number): void {
    const origin = origins[at] as number
    const letters = raw[origin] as string
    if (letters === words[at] || !isInitials(letters)) return
    let mask = 0
    for (let other = 0; other < words.length; other++) if (origins[other] === origin) mask |= 1 << other
    if (countBits(mask) === letters.length) this.initials.push({ letters, mask })
  }

  /** Matches some words of the text with those of one text of the index, with more errors than elsewhere. */
  readMisspelledIn(query: Query, some: number, text: number): void {
    const { textWords, textWordStarts } = this.index
    for (let at = textWordStarts[text] as number; at < (textWordStarts[text + 1] as number); at++) {
      const id = textWords[at] as number
      const meant = this.wordAt(id)
      for (let word = 0; word < query.words.length; word++) {
        const bit = 1 << word
        if ((some & bit) === 0 || !isMisspelled(query.words[word] as string, meant)) continue
        if (this.masks[id] === 0) this.add(id, bit, secondErrorCost)
        // As in `add`: a word that exists is hardly meant for another one of the text.
        else if ((this.unknown & bit) !== 0 || errorsBetween(query.words[word] as string, meant, 1) <= 1) {
          this.masks[id] = (this.masks[id] as number) | bit
        }
      }
    }
  }

  /**
   * Matches some words of the text with those of a name in a locality that the text has: `Rlwy`, `Airp`, `Hoosita`. So few
   * names are there that such words tell them apart. Returns whether one was found.
   */
  readNearIn(query: Query, some: number, text: number): boolean {
    const { textWords, textWordStarts } = this.index
    let isFound = false
    for (let at = textWordStarts[text] as number; at < (textWordStarts[text + 1] as number); at++) {
      const id = textWords[at] as number
      if (this.near.has(id)) continue
      if (this.near.size >= maxNear) return isFound
      this.near.add(id)
      const meant = this.wordAt(id)
      for (let word = 0; word < query.words.length; word++) {
        const bit = 1 << word
        const isLeft = (some & bit) !== 0 && ((this.masks[id] as number) & bit) === 0
        const cost = isLeft ? nearCost(query.words[word] as string, meant, (this.unknown & bit) !== 0) : undefined
        if (cost === undefined) continue
        isFound = true
        this.far |= bit
        if (this.masks[id] === 0) this.add(id, bit, cost)
        else this.masks[id] = (this.masks[id] as number) | bit
      }
    }
    return isFound
  }

  /** The code of the letter that a word of the text is. */
  letterAt(bit: number): number {
    return (this.words[31 - Math.clz32(bit)] as string).charCodeAt(0)
  }

  /** The number of a word, or −1. */
  wordOf(word: string): number {
    const { wordBytes, wordStarts } = this.index
    const length = this.encode(word)
    let low = 0
    let high = wordStarts.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.compare(wordBytes, wordStarts[middle] as number, wordStarts[middle + 1] as number, length)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return -1
  }

  wordAt(id: number): string {
    const { wordBytes, wordStarts } = this.index
    let word = ""
    for (let at = wordStarts[id] as number; at < (wordStarts[id + 1] as number); at++) {
      word += String.fromCharCode(wordBytes[at] as number)
    }
    return word
  }

  private add(id: number, mask: number, cost: number): void {
    const known = this.masks[id] as number
    if (known === 0) {
      if (this.found.length >= maxFound) return
      this.found.push(id)
      this.masks[id] = mask
      this.costs[id] = cost
      return
    }
    const knownCost = this.costs[id] as number
    if (cost > knownCost) {
      // A word that exists is not meant for one that is written plainly elsewhere in the text.
      if ((mask & this.unknown) !== 0) this.masks[id] = known | mask
      return
    }
    this.masks[id] = cost === knownCost || (known & this.unknown) !== 0 ? known | mask : mask
    this.costs[id] = cost
  }

  /** Two words that the index has as one. */
  private join({ words }: Query, at: number): void {
    const first = words[at] as string
    const second = words[at + 1] as string
    if (first.length + second.length < 5 || isNumeral(first) || isNumeral(second)) return
    const id = this.wordOf(first + second)
    if (id >= 0) this.add(id, 3 << at, joinedCost)
  }

  /** One word that the index has as two. */
  private split(word: string, mask: number): void {
    if (word.length < 6 || word.length > maxSplitLength) return
    for (let at = 3; at <= word.length - 3; at++) {
      const first = this.wordOf(word.slice(0, at))
      const second = this.wordOf(word.slice(at))
      if (first >= 0 && second >= 0) {
        this.add(first, mask, splitCost)
        this.add(second, mask, splitCost)
      } else if (second >= 0 && this.kinds.has(second) && word.length - at >= minKind) {
        // `mqrketroad`
        this.misspelled(word.slice(0, at), mask, splitCost)
        this.add(second, mask, splitCost)
      }
    }
  }

  private misspelled(word: string, mask: number, further = 0): void {
    const { misspellingStarts, misspellings, wordStarts } = this.index
    forEachMeant({ starts: misspellingStarts, words: misspellings }, word, (id) => {
      if (Math.abs((wordStarts[id + 1] as number) - (wordStarts[id] as number) - word.length) > 2) return
      if (this.compared++ >= maxCompared) return
      const errors = errorsBetween(word, this.wordAt(id), 2)
      if (errors === 1) this.add(id, mask, typingErrorCost + further)
      else if (errors === 2 && word.length > 5) this.add(id, mask, secondErrorCost + further)
    })
  }

  /** Writes a word to `scratch` in UTF-8; returns its length. Words outside the basic plane are not found. */
  private encode(word: string): number {
    const { scratch } = this
    let length = 0
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at)
      if (code < 0x80) scratch[length++] = code
      else if (code < 0x800) {
        scratch[length++] = 0xc0 | (code >> 6)
        scratch[length++] = 0x80 | (code & 0x3f)
      } else {
        scratch[length++] = 0xe0 | (code >> 12)
        scratch[length++] = 0x80 | ((code >> 6) & 0x3f)
        scratch[length++] = 0x80 | (code & 0x3f)
      }
    }
    return length
  }

  /** Compares a word of the index with the one in `scratch`. */
  private compare(bytes: Uint8Array, start: number, end: number, length: number): number {
    const { scratch } = this
    const common = Math.min(end - start, length)
    for (let at = 0; at < common; at++) {
      const difference = (bytes[start + at] as number) - (scratch[at] as number)
      if (difference !== 0) return difference
    }
    return end - start - length
  }
}

/**
 * The cost of a word that was written for another one in a locality; undefined if it hardly was. A word that the directory
 * has, `Adeola`, is only shortened, and never another name that is nearly so.
 */
const nearCost = (written: string, meant: string, isUnknown: boolean): number | undefined => {
  if (written === meant || written.length < minNear || meant.length < minNear || isNumeral(written)) return undefined
  if (isShortened(written, meant)) return nearShortenedCost
  const shorter = Math.min(written.length, meant.length)
  if (!isUnknown || shorter < minMisspelled) return undefined
  const isLong = shorter > minLengthOfThree || (shorter === minLengthOfThree && written[0] === meant[0])
  const most = isLong ? 3 : 2
  const errors = errorsBetween(written, meant, most)
  return errors > most ? undefined : errors > 2 ? thirdErrorCost : secondErrorCost
}

const minNear = 3
const minMisspelled = 5
const minLengthOfThree = 6

const ordinals: ReadonlyMap<string, string> = new Map(
  "first 1st second 2nd third 3rd fourth 4th fifth 5th sixth 6th seventh 7th eighth 8th ninth 9th tenth 10th"
    .match(/\S+ \S+/g)
    ?.flatMap((pair) => {
      const [word, number] = pair.split(" ") as [string, string]
      return [
        [word, number],
        [number, word]
      ] as const
    })
)

const isDigits = (word: string): boolean => word >= "0" && word <= "9"

const maxInitials = 6

const isInitials = (word: string): boolean => word.length <= maxInitials && /^[a-z]{2,}$/.test(word)
