/** The states and local government areas that a text names. */
import type { Directory } from "../../../directory/Directory.ts"
import type { Place } from "../../../directory/places/Place.ts"
import { modifiers, stateWords } from "../../../directory/places/PlaceAliases.ts"
import type { PlaceNames } from "../../../directory/places/PlaceNames.ts"
import { errorsBetween } from "../../../directory/text/errorsBetween.ts"
import { NearWords } from "../../../directory/text/NearWords.ts"
import { wordsOf } from "../../../directory/text/Words.ts"
import { segmentValue } from "../../../postcode/SegmentValue.ts"
import { isMisspelled } from "./isMisspelled.ts"
import type { Query } from "./QueryText.ts"

export interface PlaceMention {
  readonly place: Place
  /** State and LGA in one number as in `AddressIndex`; −1 for a state. */
  readonly lga: number
  readonly state: number
  /** The words that name it. */
  readonly mask: number
  /** Negative log-probability of writing it so. */
  readonly cost: number
  /** The part of the cost for a town of which the place is rather not meant: a suburb, or a town of the name elsewhere. */
  readonly townCost: number
  /** Whether a word of it is corrected. */
  readonly hasError: boolean
  /** Whether `LGA` or `State` stands after it. */
  readonly isKindWritten: boolean
  /** Whether the other of the two stands after it. */
  readonly isOtherKind: boolean
  /** Those of the words that stand for a town of which the LGA is a part: `Ibadan` for Ibadan North. */
  readonly townMask: number
  /** Whether a word for a street stands after it: `Enugu Road` is in Onitsha. */
  readonly isStreet: boolean
}

/** A way of writing a place. */
interface PlaceName {
  readonly place: Place
  readonly words: ReadonlyArray<string>
  readonly cost: number
  /** A state's code, `la`, which is one only at the end of a text. */
  readonly isCode: boolean
  readonly isTown: boolean
}

/** Names by their first word, and by the code of the place. */
interface PlaceIndex {
  readonly byFirst: ReadonlyMap<string, ReadonlyArray<PlaceName>>
  readonly byCode: ReadonlyMap<string, ReadonlyArray<PlaceName>>
  readonly firsts: ReadonlyArray<string>
  readonly near: NearWords
}

export const mentionsIn = (directory: Directory, query: Query): ReadonlyArray<PlaceMention> => {
  const index = indexOf(directory.names.placeNames)
  const found: Array<PlaceMention> = []
  for (let at = 0; at < query.words.length; at++) {
    const word = query.words[at] as string
    const exact = index.byFirst.get(word)
    if (exact !== undefined) for (const name of exact) match(query, name, at, 0, found)
    index.near.oneError(word, (first) => {
      for (const name of index.byFirst.get(index.firsts[first] as string) ?? [])
        match(query, name, at, typingError, found)
    })
  }
  const mentions = best(
    inOtherStates(query, withoutTowns(inStreets(query, withoutAcronyms(query, withoutCorrections(found)))))
  )
  return mentions.length <= maxMentions ? mentions : mentions.toSorted((a, b) => a.cost - b.cost).slice(0, maxMentions)
}

/** Whether the name of a state or LGA starts with a word: `crs` is no crescent. */
export const isPlaceWord = (directory: Directory, word: string): boolean =>
  indexOf(directory.names.placeNames).byFirst.has(word)

const typingError = 5
/** A misspelled name in another state than the one that the text names without an error. */
const otherState = 8
/** The place that a street is named after is hardly meant. */
const streetOf = 6

/** An exact name beats a typing error in another one, if both are in the same words. */
const withoutCorrections = (found: ReadonlyArray<PlaceMention>): ReadonlyArray<PlaceMention> => {
  let exact = 0
  for (const { hasError, mask } of found) if (!hasError) exact |= mask
  return found.filter(({ hasError, mask }) => !hasError || (mask & ~exact) !== 0)
}

/** `The lane after UBA` does not name Askira/Uba; `near UBA, Askira` does. */
const withoutAcronyms = (
  { acronyms, landmark }: Query,
  found: ReadonlyArray<PlaceMention>
): ReadonlyArray<PlaceMention> => {
  const names = acronyms & landmark
  if (names === 0) return found
  return found.filter(
    ({ cost, mask, state, townMask }) =>
      cost === 0 ||
      townMask !== 0 ||
      (mask & ~names) !== 0 ||
      found.some((other) => other.state === state && (other.mask & ~names) !== 0)
  )
}

/** `Guoba Plaza, Abuja` hardly names Gujba, which is in another state than that of the text, or of its last LGA. */
const inOtherStates = ({ all, fillers }: Query, found: ReadonlyArray<PlaceMention>): ReadonlyArray<PlaceMention> => {
  const last = 31 - Math.clz32(all & ~fillers)
  const named = found.filter(
    ({ hasError, isOtherKind, isStreet, lga, mask }) =>
      !hasError && !isOtherKind && !isStreet && (lga < 0 || (mask & (1 << last)) !== 0)
  )
  if (named.length === 0) return found
  return found.map((one) =>
    one.hasError && !named.some(({ state }) => state === one.state) ? { ...one, cost: one.cost + otherState } : one
  )
}

/**
 * Marks the places that streets are named after: those directly before a word for a street, and the places before them, as
 * in `Lagos-Abeokuta Expressway`.
 */
const inStreets = (query: Query, found: ReadonlyArray<PlaceMention>): ReadonlyArray<PlaceMention> => {
  if (query.streets === 0 || found.length === 0) return found
  let places = 0
  for (const { mask } of found) places |= mask
  let run = query.streetNames
  for (let at = query.words.length - 1; at > 0; at--) {
    if ((query.streets & (1 << at)) === 0) continue
    // `Lagos Ikeja Allen Avenue` names no street after Ikeja.
    const isPlace = ((places | query.streets) & (1 << (at - 1))) !== 0
    for (let before = at - 1; before >= 0; before--) {
      const bit = 1 << before
      const isPart = (((isPlace ? places | query.streets : 0) | query.streetNames) & bit) !== 0
      if (query.segments[before] !== query.segments[at] || !isPart) break
      if (((query.fillers | query.relation) & bit) !== 0) break
      run |= bit
    }
  }
  if (run === 0) return found
  return found.map((one) =>
    (one.mask & ~query.fillers & ~run) === 0 ? { ...one, isStreet: true, cost: one.cost + streetOf } : one
  )
}

/** Only a hostile directory has more places of the names in a text. */
const maxMatches = 512
const maxMentions = 64

/**
 * The same with a mention of one place that is so misspelled that only a text about this place can mean it: some words of
 * the text compared with its name.
 */
export const withMisspelled = (
  mentions: ReadonlyArray<PlaceMention>,
  directory: Directory,
  query: Query,
  code: string,
  some: number
): ReadonlyArray<PlaceMention> => {
  let found = mentions
  for (const { isCode, place, words } of indexOf(directory.names.placeNames).byCode.get(code) ?? []) {
    if (isCode) continue
    for (let at = 0; at + words.length <= query.words.length; at++) {
      const mask = (2 ** words.length - 1) * 2 ** at
      if ((mask & some) === 0) continue
      const isMeant = words.every((word, offset) => isMisspelled(query.words[at + offset] as string, word))
      if (!isMeant) continue
      const known = found.find((mention) => mention.place.code === code)
      const mention: PlaceMention = {
        place,
        ...valuesOf(code),
        mask: mask | (known?.mask ?? 0),
        cost: known?.cost ?? farMisspelled,
        townCost: known?.townCost ?? 0,
        hasError: known?.hasError ?? true,
        isKindWritten: known?.isKindWritten ?? false,
        isOtherKind: known?.isOtherKind ?? false,
        isStreet: known?.isStreet ?? false,
        townMask: known?.townMask ?? 0
      }
      found = [...found.filter((one) => one !== known), mention]
    }
  }
  return found
}

const farMisspelled = 8.5

const match = (query: Query, name: PlaceName, at: number, cost: number, found: Array<PlaceMention>): void => {
  const { isCode, place, words } = name
  if (found.length >= maxMatches) return
  if (isCode && (at === 0 || at + 1 < query.words.length)) return
  let hasError = cost > 0
  let total = name.cost + cost
  let mask = 0
  for (const [offset, word] of words.entries()) {
    const written = query.words[at + offset]
    if (written === undefined) return
    if (offset > 0 && written !== word) {
      if (word.length < 4 || /\d/.test(written) || errorsBetween(written, word, 1) > 1) return
      total += typingError
      hasError = true
    }
    mask |= 1 << (at + offset)
  }
  const isState = place.code.length === 2
  const next = query.words[at + words.length]
  const before = query.words[at - 1] ?? ""
  // `Ìpínlẹ̀ Ọ̀yọ́`, `Jihar Kano`: other languages have the word first.
  const isKindBefore =
    before !== "state" && isState && stateWords.has(before) && (query.fillers & (1 << (at - 1))) !== 0
  const isKindWritten = next === (isState ? "state" : "lga") || isKindBefore
  const isOtherKind = next === (isState ? "lga" : "state")
  if (isKindWritten) mask |= isKindBefore ? 1 << (at - 1) : 1 << (at + words.length)
  if (isOtherKind) total += otherKind
  found.push({
    hasError,
    isStreet: false,
    townMask: name.isTown ? mask : 0,
    townCost: name.isTown ? name.cost : 0,
    place,
    ...valuesOf(place.code),
    mask,
    cost: total,
    isKindWritten,
    isOtherKind
  })
}

const valuesOf = (code: string): Pick<PlaceMention, "lga" | "state"> => {
  const state = segmentValue(0, code.slice(0, 2))
  return { state, lga: code.length === 2 ? -1 : 100 * state + segmentValue(1, code.slice(3)) }
}

/** `Kogi LGA` is hardly the state. */
const otherKind = 4

/**
 * Without the towns that are called as their state, among its mentions: in `Bauchi, Bauchi State`, the first word is the
 * town.
 */
const withoutTowns = (found: ReadonlyArray<PlaceMention>): ReadonlyArray<PlaceMention> => {
  const isExact = ({ hasError, isOtherKind, isStreet }: PlaceMention) => !hasError && !isOtherKind && !isStreet
  const states = found.filter((one) => one.lga < 0 && isExact(one))
  return found.filter((one) => {
    if (one.lga >= 0 || !isExact(one)) return true
    const others = states.filter(({ state }) => state === one.state)
    const last = others.findLast(({ isKindWritten }) => isKindWritten) ?? others.at(-1)
    if (last === undefined || last === one || (last.mask & one.mask) !== 0) return true
    return !found.some(
      (town) => town.lga >= 0 && town.state === one.state && isExact(town) && (one.mask & ~town.mask) === 0
    )
  })
}

/** One mention a place. A text may name it twice, and one of the two may be misspelled. */
const best = (found: ReadonlyArray<PlaceMention>): ReadonlyArray<PlaceMention> => {
  const byCode = new Map<string, PlaceMention>()
  for (const mention of found) {
    const known = byCode.get(mention.place.code)
    if (known === undefined || rank(mention) < rank(known)) byCode.set(mention.place.code, mention)
    else if (rank(known) === rank(mention)) {
      const cheaper = mention.cost < known.cost ? mention : known
      const mask = known.mask | mention.mask
      byCode.set(mention.place.code, {
        ...cheaper,
        mask,
        townMask: townWords(known, mention),
        isKindWritten: known.isKindWritten || mention.isKindWritten
      })
    }
  }
  return [...byCode.values()]
}

/** Those of a town that stand apart from the whole name: `Ibadan, Ibadan North` names it twice. */
const townWords = (a: PlaceMention, b: PlaceMention): number =>
  (a.townMask | b.townMask) & ~((a.mask & ~a.townMask) | (b.mask & ~b.townMask))

/** A mention of the other kind, or in a street's name, counts only without a better one. */
const rank = ({ isOtherKind, isStreet }: PlaceMention): number => (isStreet ? 2 : 0) + (isOtherKind ? 1 : 0)

const indexes = new WeakMap<PlaceNames, PlaceIndex>()

const indexOf = (names: PlaceNames): PlaceIndex => {
  const known = indexes.get(names) ?? makeIndex(names)
  indexes.set(names, known)
  return known
}

const makeIndex = (names: PlaceNames): PlaceIndex => {
  const byFirst = new Map<string, Array<PlaceName>>()
  const byCode = new Map<string, Array<PlaceName>>()
  for (const { cost, isCode, isTown, place, words: numbers } of names.names) {
    const whole = numbers.map((word) => names.words[word] as string)
    for (const [way, extra] of [[whole, 0] as const, ...shortWays(whole).map((way) => [way, shortWayCost] as const)]) {
      const words = wordsOf(way.join(" "))
      const first = words[0]
      if (first === undefined) continue
      const name = { place: place.place, words, cost: cost / 10 + extra, isCode, isTown }
      listIn(byFirst, first).push(name)
      listIn(byCode, place.place.code).push(name)
    }
  }
  const firsts = [...byFirst.keys()]
  return { byFirst, byCode, firsts, near: new NearWords(firsts) }
}

/** `Umuahia S`, `Ibadan N.E.`, `R. Gado`, `Z/Kataf`: the letters of directions, or of the first word. */
const shortWays = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const ways: Array<ReadonlyArray<string>> = []
  const named = words.findIndex((word) => directions.has(word))
  if (named > 0 && words.slice(named).every((word) => directions.has(word))) {
    ways.push([
      ...words.slice(0, named),
      words
        .slice(named)
        .map((word) => word[0])
        .join("")
    ])
  }
  const [first = "", second = ""] = words
  const isInitial = words.length === 2 && first.length >= 3 && second.length >= 4
  if (isInitial && !modifiers.has(first) && !modifiers.has(second)) ways.push([first[0] as string, second])
  return ways
}

const shortWayCost = 0.5
const directions: ReadonlySet<string> = new Set(["north", "south", "east", "west"])

/** The list of a key, which is empty at first. */
const listIn = <T>(lists: Map<string, Array<T>>, key: string): Array<T> => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
