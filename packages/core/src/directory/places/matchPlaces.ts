/**
 * Finds the states and local government areas whose names stand in a text: all of the name or part of it, in any order,
 * with typing errors, in one word or in several.
 *
 * A match says what the name costs and which words it covers. Whether the text means it, a street of that name or another
 * place is for the caller to decide, from all matches together.
 */
import { countBits } from "../codes/Bits.ts"
import type { NamedPlace } from "./NamedPlace.ts"
import { lgaWords, modifiers, stateWords, streetWords } from "./PlaceAliases.ts"
import type { PlaceName, PlaceNames } from "./PlaceNames.ts"

/** A name that stands in a text. */
export interface PlaceMatch {
  readonly place: NamedPlace
  /**
   * How badly the words fit the name, in tenths of a natural logarithm: 0 is the whole name without an error, in its
   * order, 16 a typing error, 30 two of them.
   */
  readonly cost: number
  /** A bit for each word of the text that the name covers; the lowest is the first word. */
  readonly words: number
  /** The word is a state's code, `la`, which may be an ordinary word as well. */
  readonly isCode: boolean
}

/** The names in a text. */
export interface PlaceMatches {
  readonly matches: ReadonlyArray<PlaceMatch>
  /** A bit for each word that belongs to no name of a place and is no number. */
  readonly unknown: number
}

/** As many words as a match has bits for. */
export const maxPlaceWords = 30

/**
 * The places named by the words of a text, see `foldedWords`; at most `maxPlaceWords`, others are ignored. If the text is
 * still being typed, its last word may be the start of one.
 *
 * ```ts
 * matchPlaces(names, ["12", "allen", "avenue", "ikeja"], false) // one match: Ikeja, cost 0, words 0b1000
 * ```
 */
export const matchPlaces = (names: PlaceNames, words: ReadonlyArray<string>, isTyped: boolean): PlaceMatches => {
  const text = new TextWords(names, words.slice(0, maxPlaceWords), isTyped)
  const matches: Array<PlaceMatch> = []
  for (const hit of text.hits) {
    for (const { name: number, slot } of names.uses[hit.word] ?? []) {
      const name = names.names[number] as PlaceName
      if (matches.length >= maxMatches) return { matches, unknown: text.unknown }
      if (hasEarlierHit(text, name, slot)) continue
      const match = matchName(text, name, slot, hit)
      if (match !== undefined) matches.push(match)
    }
  }
  return { matches, unknown: text.unknown }
}

/** Hostile texts and names only: a text of 200 characters out of names has a few hundred. */
const maxMatches = 512

const costs = {
  code: 3,
  prefix: 5,
  joined: 2,
  oneError: 16,
  /** In a word of 5 letters and less, an error changes more. */
  shortError: 4,
  twoErrors: 30,
  /** Words of the name that the text may still get. */
  untyped: 2,
  missing: { modifier: 10, first: 12, later: 9 },
  /** The first word of the name is missing, and the text has words of something else: `Lekki Phase 1`. */
  missingAmongOthers: 12,
  otherOrder: 8,
  gap: 6,
  /** Another order or a gap, and words of something else: `Victoria Island, Lagos` is not Lagos Island. */
  arrangedAmongOthers: 8,
  /** `Ikorodu Road`. */
  street: 15,
  /** `Ekiti State` is not the LGA, and `Ekiti LGA` not the state. */
  otherKind: 30
} as const

/** A word of a name that stands in the text. */
interface Hit {
  /** Its number in `PlaceNames`. */
  readonly word: number
  readonly cost: number
  /** The words of the text that it covers. */
  readonly words: number
  /** The position of the first of them. */
  readonly at: number
}

/** The words of a text and the words of names that they may be. */
class TextWords {
  readonly words: ReadonlyArray<string>
  readonly hits: Array<Hit> = []
  readonly hitsOf = new Map<number, Array<Hit>>()
  readonly isTyped: boolean
  unknown = 0
  private readonly names: PlaceNames

  constructor(names: PlaceNames, words: ReadonlyArray<string>, isTyped: boolean) {
    this.names = names
    this.words = words
    this.isTyped = isTyped
    for (let at = 0; at < words.length; at++) this.read(at)
    for (let at = 0; at + 1 < words.length; at++) this.readPair(at)
    this.unknown = this.findUnknown()
  }

  get last(): number {
    return this.words.length - 1
  }

  private read(at: number): void {
    const { names } = this
    const word = this.words[at] as string
    const number = names.numberOf(word)
    const before = this.hits.length
    if (number >= 0) this.add(number, 0, at)
    if (this.isTyped && at === this.last && (word.length > 2 || this.isOnlyNames())) {
      const [low, high] = names.startingWith(word)
      for (let one = low; one < high; one++) if (one !== number) this.add(one, costs.prefix, at)
    }
    if (isKeyword(word)) return
    names.near.oneError(word, (near) => {
      const shorter = Math.min(word.length, (names.words[near] as string).length)
      const longer = Math.max(word.length, (names.words[near] as string).length)
      if (longer > 4) this.add(near, costs.oneError + (shorter < 6 ? costs.shortError : 0), at)
    })
    if (this.hits.length === before) names.near.twoErrors(word, (near) => this.add(near, costs.twoErrors, at))
  }

  /** A name in one word may be written as two: `Mai Adua`. */
  private readPair(at: number): void {
    const joined = `${this.words[at]}${this.words[at + 1]}`
    const number = this.names.numberOf(joined)
    // `OY o` is a code and the start of a name.
    if (number >= 0 && joined.length > 4) this.add(number, costs.joined, at, 0b11)
  }

  private add(word: number, cost: number, at: number, words = 1): void {
    const known = this.hitsOf.get(word)
    if (known?.some((hit) => hit.at === at && hit.words === words << at)) return
    const hit = { word, cost, words: words << at, at }
    this.hits.push(hit)
    if (known === undefined) this.hitsOf.set(word, [hit])
    else known.push(hit)
  }

  /** One or two letters behind anything else are the start of too many names. */
  private isOnlyNames(): boolean {
    return this.findUnknown() === 0 && !this.words.some((word) => /^\d/.test(word))
  }

  /** The words without a hit. The last is left out while it is typed. */
  private findUnknown(): number {
    let known = 0
    for (const { cost, words } of this.hits) if (cost < costs.oneError) known |= words
    let unknown = 0
    for (const [at, word] of this.words.entries()) {
      if (at === this.last && this.isTyped) continue
      const isKnown = (known & (1 << at)) !== 0 || isKeyword(word) || modifiers.has(word) || /^\d/.test(word)
      if (!isKnown) unknown |= 1 << at
    }
    return unknown
  }
}

const isKeyword = (word: string): boolean => lgaWords.has(word) || stateWords.has(word) || streetWords.has(word)

/** A name is matched from its first word that is there and no modifier, so that it is not matched twice. */
const hasEarlierHit = (text: TextWords, name: PlaceName, slot: number): boolean => {
  for (let at = 0; at < slot; at++) {
    if (!name.isModifier[at] && text.hitsOf.has(name.words[at] as number)) return true
  }
  return false
}

const matchName = (text: TextWords, name: PlaceName, slot: number, hit: Hit): PlaceMatch | undefined => {
  const { place } = name
  if (name.isCode) {
    return hit.cost > 0 ? undefined : { place, cost: costs.code, words: hit.words, isCode: true }
  }
  const reading = new NameReading(hit)
  for (let other = 0; other < name.words.length; other++) {
    reading.read(name, other, other === slot ? hit : nearest(text, name.words[other] as number, reading))
  }
  const cost =
    name.cost + reading.cost + reading.arrangement(text) + reading.missing(text) + contextCost(text, place, reading)
  return { place, cost, words: reading.covered, isCode: false }
}

/** The words of a name in a text, read one after the other. */
class NameReading {
  covered: number
  private rightCost = 0
  private errorCost = 0
  private isAnyRight = false
  private readonly anchor: Hit
  private before = -1
  private isInOrder = true
  private missingFirst = false
  private missingCost = 0
  private isAnyMissing = false
  /** Whether only words at the end of the name are missing. */
  private isStart = true

  constructor(anchor: Hit) {
    this.anchor = anchor
    this.covered = anchor.words
  }

  get at(): number {
    return this.anchor.at
  }

  read(name: PlaceName, slot: number, hit: Hit | undefined): void {
    if (hit === undefined) {
      this.isAnyMissing = true
      this.missingFirst ||= slot === 0
      const { first, later, modifier } = costs.missing
      this.missingCost += name.isModifier[slot] ? modifier : slot === 0 ? first : later
      return
    }
    if (this.isAnyMissing) this.isStart = false
    if (hit.at < this.before) this.isInOrder = false
    this.before = hit.at
    if (hit.cost >= costs.oneError) this.errorCost += hit.cost
    else {
      this.isAnyRight = true
      this.rightCost += hit.cost
    }
    this.covered |= hit.words
  }

  /** Errors are likely to be errors if another word of the name is right. */
  get cost(): number {
    return this.rightCost + (this.isAnyRight ? this.errorCost / 2 : this.errorCost)
  }

  /** The cost of another order, and of words between. */
  arrangement(text: TextWords): number {
    const first = 31 - Math.clz32(this.covered & -this.covered)
    const hasGap = this.end - first + 1 > countBits(this.covered)
    if (this.isInOrder && !hasGap) return 0
    const amongOthers = text.unknown !== 0 ? costs.arrangedAmongOthers : 0
    return (this.isInOrder ? 0 : costs.otherOrder) + (hasGap ? costs.gap : 0) + amongOthers
  }

  missing(text: TextWords): number {
    if (!this.isAnyMissing) return 0
    if (text.isTyped && this.isStart && this.end === text.last) return costs.untyped
    return this.missingCost + (this.missingFirst && text.unknown !== 0 ? costs.missingAmongOthers : 0)
  }

  /** The position of the last word. */
  get end(): number {
    return 31 - Math.clz32(this.covered)
  }
}

/** The word of a name nearest to those already read. */
const nearest = (text: TextWords, word: number, reading: NameReading): Hit | undefined => {
  let best: Hit | undefined
  let bestCost = Number.POSITIVE_INFINITY
  for (const hit of text.hitsOf.get(word) ?? []) {
    const cost = hit.cost + Math.abs(hit.at - reading.at)
    if ((hit.words & reading.covered) !== 0 || cost >= bestCost) continue
    best = hit
    bestCost = cost
  }
  return best
}

/** What the word behind the name says about it. */
const contextCost = (text: TextWords, place: NamedPlace, reading: NameReading): number => {
  const next = text.words[reading.end + 1]
  if (next === undefined) return 0
  if (streetWords.has(next)) return costs.street
  return (place.lga < 0 ? lgaWords : stateWords).has(next) ? costs.otherKind : 0
}
