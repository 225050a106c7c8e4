/**
 * The localities and names that may be meant by a text: those that explain most of it.
 *
 * Words in many names, such as `school`, are looked up only where the text already points to: in its LGAs, its states and
 * the best localities.
 */
import { type AddressIndex, firstAtLeast } from "../../directory/text/AddressIndex.ts"
import type { PlaceMention } from "./query/PlaceMentions.ts"
import type { Query } from "./query/QueryText.ts"
import type { WordMatches } from "./query/WordMatches.ts"

const maxNames = 32
const maxLocalities = 12
/** Longer lists are walked only in ranges; in long texts, and of words that may be misspelled for another, sooner. */
const frequent = 1200
const frequentElsewhere = 300
const longText = 12
/** In all frequent words of a text, and in all others, so that no text takes long. */
const maxWalked = 30_000
/** Words of names that are compared with initials. */
const maxInitialsCompared = 16_000

/** In a mask, beside the words of the text: one of them is corrected. An exact candidate beats others that are as good. */
const corrected = 1 << 30
const correctedLoss = 0.1

export class Candidates {
  readonly names: Array<number> = []
  readonly localities: Array<number> = []
  private readonly index: AddressIndex
  private readonly localityOfName: Uint32Array
  private readonly lgaOfLocality: Uint16Array
  /** By name and by locality: the words of the text that it contains. */
  private readonly nameMasks: Uint32Array
  private readonly localityMasks: Uint32Array
  private readonly touchedNames: Array<number> = []
  private readonly touchedLocalities: Array<number> = []
  /** By LGA: the words of the text that name it or its state. */
  private readonly lgaMasks: Uint32Array
  /** Sum of the weights of each byte of a mask. */
  private readonly gains = new Float64Array(4 * 256)
  private walked = 0
  private walkedWhole = 0
  private initialsCompared = 0
  private frequent = frequent
  /** The gains of candidates. */
  private gainsOf = new Float64Array(1024)

  constructor(index: AddressIndex) {
    this.index = index
    this.localityOfName = expand(index.localityNames, new Uint32Array(index.nameTexts.length))
    this.lgaOfLocality = expand(index.lgaLocalities, new Uint16Array(index.localityTexts.length))
    this.nameMasks = new Uint32Array(index.nameTexts.length)
    this.localityMasks = new Uint32Array(index.localityTexts.length)
    this.lgaMasks = new Uint32Array(index.lgas.length)
  }

  find(query: Query, matches: WordMatches, mentions: ReadonlyArray<PlaceMention>): void {
    this.reset()
    this.frequent = query.words.length > longText ? frequentElsewhere : frequent
    this.weigh(query, matches)
    this.markLgas(mentions)
    for (const word of matches.found) this.walk(word, matches)
    this.walkFrequent(matches, mentions)
    this.chooseLocalities()
    for (const locality of this.localities) this.walkNamesOf(locality, matches)
    if (matches.initials.length > 0) for (const locality of this.localities) this.walkInitialsOf(locality, matches)
    this.chooseNames()
  }

  localityOf(name: number): number {
    return this.localityOfName[name] as number
  }

  lgaOf(locality: number): number {
    return this.lgaOfLocality[locality] as number
  }

  private reset(): void {
    for (const name of this.touchedNames) this.nameMasks[name] = 0
    for (const locality of this.touchedLocalities) this.localityMasks[locality] = 0
    this.touchedNames.length = 0
    this.touchedLocalities.length = 0
    this.names.length = 0
    this.localities.length = 0
    this.walked = 0
    this.walkedWhole = 0
    this.initialsCompared = 0
  }

  private weigh({ words }: Query, { rarities }: WordMatches): void {
    const { gains } = this
    for (let byte = 0; byte < 4; byte++) {
      for (let bits = 1; bits < 256; bits++) {
        const highest = 31 - Math.clz32(bits)
        const word = 8 * byte + highest
        const weight = word < words.length ? (rarities[word] as number) + 1 : 0
        gains[256 * byte + bits] = (gains[256 * byte + bits - (1 << highest)] as number) + weight
      }
      if (8 * byte + 8 >= words.length) break
    }
  }

  private gainOf(mask: number): number {
    const { gains } = this
    return (
      (gains[mask & 255] as number) +
      (gains[256 + ((mask >>> 8) & 255)] as number) +
      (gains[512 + ((mask >>> 16) & 255)] as number) +
      (gains[768 + ((mask >>> 24) & 63)] as number) -
      ((mask & corrected) === 0 ? 0 : correctedLoss)
    )
  }

  private markLgas(mentions: ReadonlyArray<PlaceMention>): void {
    const { index, lgaMasks } = this
    lgaMasks.fill(0)
    for (const { hasError, lga, mask: words, state } of mentions) {
      const mask = hasError ? words | corrected : words
      const first = lga < 0 ? 100 * state : lga
      const end = lga < 0 ? first + 100 : first + 1
      for (let at = this.lgaFrom(first); at < index.lgas.length && (index.lgas[at] as number) < end; at++) {
        lgaMasks[at] = (lgaMasks[at] as number) | mask
      }
    }
  }

  private lgaFrom(lga: number): number {
    return firstAtLeast(this.index.lgas, 0, this.index.lgas.length, lga)
  }

  /** How many names or localities have a word that is walked only in ranges, at least. */
  private limitOf(word: number, { costs }: WordMatches): number {
    return (costs[word] as number) > 1 ? frequentElsewhere : this.frequent
  }

  /** Marks what contains a word, unless too much does. */
  private walk(word: number, matches: WordMatches): void {
    const limit = this.limitOf(word, matches)
    const { localityRefStarts, nameRefStarts } = this.index
    const mask = maskOf(word, matches)
    const firstName = nameRefStarts[word] as number
    const endName = nameRefStarts[word + 1] as number
    if (endName - firstName <= limit && this.mayWalk(endName - firstName)) this.markNames(firstName, endName, mask)
    const firstLocality = localityRefStarts[word] as number
    const endLocality = localityRefStarts[word + 1] as number
    const localities = endLocality - firstLocality
    if (localities <= limit && this.mayWalk(localities)) this.markLocalities(firstLocality, endLocality, mask)
  }

  private mayWalk(count: number): boolean {
    if (this.walkedWhole + count > maxWalked) return false
    this.walkedWhole += count
    return true
  }

  private markNames(start: number, end: number, mask: number): void {
    const { nameRefs } = this.index
    for (let at = start; at < end; at++) this.markName(nameRefs[at] as number, mask)
  }

  private markName(name: number, mask: number): void {
    const known = this.nameMasks[name] as number
    if (known === 0) this.touchedNames.push(name)
    this.nameMasks[name] = known | mask
  }

  private markLocalities(start: number, end: number, mask: number): void {
    const { localityMasks, touchedLocalities } = this
    const { localityRefs } = this.index
    for (let at = start; at < end; at++) {
      const locality = localityRefs[at] as number
      const known = localityMasks[locality] as number
      if (known === 0) touchedLocalities.push(locality)
      localityMasks[locality] = known | mask
    }
  }

  /** Marks what contains frequent words in the LGAs of the text, or else in its states. */
  private walkFrequent(matches: WordMatches, mentions: ReadonlyArray<PlaceMention>): void {
    const { lgas, lgaLocalities, localityNames } = this.index
    const hasLga = mentions.some(({ lga }) => lga >= 0)
    for (const { lga, state } of mentions) {
      if (hasLga && lga < 0) continue
      const first = this.lgaFrom(lga < 0 ? 100 * state : lga)
      const end =
        lga < 0 ? this.lgaFrom(100 * state + 100) : Math.min(lgas.length, first + (lgas[first] === lga ? 1 : 0))
      if (first >= end) continue
      const start = lgaLocalities[first] as number
      const stop = lgaLocalities[end] as number
      this.walkRange(matches, start, stop, localityNames[start] as number, localityNames[stop] as number)
    }
  }

  private walkNamesOf(locality: number, matches: WordMatches): void {
    const { localityNames } = this.index
    this.walkRange(matches, 0, 0, localityNames[locality] as number, localityNames[locality + 1] as number)
  }

  /** Marks the names of a locality whose initials the text has. */
  private walkInitialsOf(locality: number, { initials, kinds }: WordMatches): void {
    const { localityNames, nameTexts, textWordStarts } = this.index
    const first = localityNames[locality] as number
    const end = this.cut(first, localityNames[locality + 1] as number)
    for (let name = first; name < end && this.initialsCompared < maxInitialsCompared; name++) {
      const text = nameTexts[name] as number
      const words = (textWordStarts[text + 1] as number) - (textWordStarts[text] as number)
      this.initialsCompared += initials.length * words
      for (const { letters, mask } of initials) {
        const at = kinds.initialsAt(letters, textWordStarts[text] as number, textWordStarts[text + 1] as number)
        if (at >= 0) this.markName(name, mask)
      }
    }
  }

  /** Marks what contains frequent words in some localities and names. */
  private walkRange(
    matches: WordMatches,
    firstLocality: number,
    endLocality: number,
    firstName: number,
    endName: number
  ): void {
    const { localityRefs, localityRefStarts, nameRefs, nameRefStarts } = this.index
    for (const word of matches.found) {
      const mask = maskOf(word, matches)
      const limit = this.limitOf(word, matches)
      const names = nameRefStarts[word] as number
      const namesEnd = nameRefStarts[word + 1] as number
      if (namesEnd - names > limit && endName > firstName) {
        const start = firstAtLeast(nameRefs, names, namesEnd, firstName)
        const end = this.cut(start, firstAtLeast(nameRefs, start, namesEnd, endName))
        this.markNames(start, end, mask)
      }
      const localities = localityRefStarts[word] as number
      const localitiesEnd = localityRefStarts[word + 1] as number
      if (localitiesEnd - localities > limit && endLocality > firstLocality) {
        const start = firstAtLeast(localityRefs, localities, localitiesEnd, firstLocality)
        const end = this.cut(start, firstAtLeast(localityRefs, start, localitiesEnd, endLocality))
        this.markLocalities(start, end, mask)
      }
    }
  }

  private cut(start: number, end: number): number {
    const cut = Math.min(end, start + maxWalked - this.walked)
    this.walked += Math.max(0, cut - start)
    return cut
  }

  private chooseLocalities(): void {
    const { lgaMasks, lgaOfLocality, localityMasks, touchedLocalities } = this
    const gains = this.gainsFor(touchedLocalities.length)
    for (let at = 0; at < touchedLocalities.length; at++) {
      const locality = touchedLocalities[at] as number
      gains[at] = this.gainOf(
        (localityMasks[locality] as number) | (lgaMasks[lgaOfLocality[locality] as number] as number)
      )
    }
    choose(touchedLocalities, gains, maxLocalities, this.localities)
  }

  private chooseNames(): void {
    const { lgaMasks, lgaOfLocality, localityMasks, localityOfName, nameMasks, touchedNames } = this
    const gains = this.gainsFor(touchedNames.length)
    for (let at = 0; at < touchedNames.length; at++) {
      const name = touchedNames[at] as number
      const locality = localityOfName[name] as number
      const lga = lgaMasks[lgaOfLocality[locality] as number] as number
      gains[at] = this.gainOf((nameMasks[name] as number) | (localityMasks[locality] as number) | lga)
    }
    choose(touchedNames, gains, maxNames, this.names)
  }

  private gainsFor(count: number): Float64Array {
    if (count > this.gainsOf.length) this.gainsOf = new Float64Array(2 * count)
    return this.gainsOf
  }
}

const maskOf = (word: number, { costs, masks }: WordMatches): number =>
  (masks[word] as number) | ((costs[word] as number) > 0 ? corrected : 0)

/** By position: the number of the range that holds it. */
const expand = <Column extends Uint16Array | Uint32Array>(starts: Uint32Array, column: Column): Column => {
  for (let range = 0; range + 1 < starts.length; range++) column.fill(range, starts[range], starts[range + 1])
  return column
}

/**
 * The candidates of the highest gain. Of those that are equal at the end of the list, some from all over the country,
 * because the first ones would all be in one place.
 */
const choose = (candidates: ReadonlyArray<number>, gains: Float64Array, most: number, chosen: Array<number>): void => {
  const count = candidates.length
  const least = nthHighest(gains, count, most)
  let ties = 0
  for (let at = 0; at < count; at++) {
    const gain = gains[at] as number
    if (gain > least) chosen.push(candidates[at] as number)
    else if (gain === least) ties++
  }
  const step = Math.max(1, ties / (most - chosen.length))
  let next = 0
  for (let at = 0, tie = 0; at < count && chosen.length < most; at++) {
    if (gains[at] !== least || tie++ < Math.floor(next)) continue
    chosen.push(candidates[at] as number)
    next += step
  }
}

/** The nth highest of some values, by a list of the n highest; −∞ if there are fewer. */
const nthHighest = (values: Float64Array, count: number, n: number): number => {
  const highest = new Float64Array(n).fill(Number.NEGATIVE_INFINITY)
  for (let at = 0; at < count; at++) {
    const value = values[at] as number
    if (value <= (highest[n - 1] as number)) continue
    let place = n - 1
    while (place > 0 && (highest[place - 1] as number) < value) {
      highest[place] = highest[place - 1] as number
      place--
    }
    highest[place] = value
  }
  return highest[n - 1] as number
}
