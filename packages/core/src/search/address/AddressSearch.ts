/**
 * Finds the postcode of an address in free text: `12 Allen Avenue, Ikeja`, `Aba North PHC, Eziama`, `behind Fabian Hotel,
 * Ado Ekiti`. The text is evidence that spreads probability over the units of the directory. The answer is the deepest
 * code that holds at least 95 % of it, so it is never more precise than the text.
 */
import type { Directory } from "../../directory/Directory.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import { withoutInvisible } from "../../directory/text/VisibleText.ts"
import { wordsOf } from "../../directory/text/Words.ts"
import { segmentText } from "../../postcode/SegmentValue.ts"
import { isNothing } from "../isNothing.ts"
import { type AddressSource, addressSources } from "./AddressSource.ts"
import type { AddressAnswer } from "./answer/AddressAnswer.ts"
import { answerCoordinates, answerWithCoordinate, coordinateAmong } from "./answer/answerCoordinates.ts"
import { answerOf, type Found } from "./answer/answerOf.ts"
import { answerBoth, answerNearly, postcodeIn } from "./answer/answerPostcode.ts"
import { messages } from "./answer/messageOf.ts"
import { noAnswer } from "./answer/partsOf.ts"
import { Candidates } from "./Candidates.ts"
import { type Sourced, weigh } from "./Evidence.ts"
import type { Hypothesis } from "./Hypothesis.ts"
import { isPlaceWord, mentionsIn, type PlaceMention, withMisspelled } from "./query/PlaceMentions.ts"
import { type Query, readQuery } from "./query/QueryText.ts"
import { WordMatches } from "./query/WordMatches.ts"
import { Scorer } from "./scoreHypotheses.ts"
import { placeWordsOf, scorePlaces, wordCostsOf } from "./scorePlaces.ts"
import { setAside, type WithoutSurroundings } from "./surroundings/setAside.ts"

export type { AddressAnswer, AddressCandidate, AddressPrecision, Understood } from "./answer/AddressAnswer.ts"
export type { IgnoredKind } from "./surroundings/Surroundings.ts"
export type { Ignored } from "./surroundings/setAside.ts"

/** Options of `searchAddress`. */
export interface AddressSearchOptions {
  /** Number of candidates, from 1 to 20. Default: 5. */
  readonly limit?: number
  /** `lga`: the text is matched against states and LGAs only, and the answer has `limited_to`. Default: `unit`. */
  readonly finest?: "lga" | "unit"
}

/** The service refuses longer texts; `searchAddress` cuts them. */
export const maxAddressLength = 500

/**
 * Searches the addresses that a directory was built with; without them, states and local government areas only. No text
 * is an error.
 *
 * ```ts
 * searchAddress(directory, "aba north phc eziama").code // "AB-01-E01-AA-02"
 * ```
 *
 * @throws RangeError if `limit` is not an integer from 1 to 20
 */
export const searchAddress = (
  directory: Directory,
  text: string,
  options: AddressSearchOptions = {}
): AddressAnswer => {
  const { finest = "unit", limit = 5 } = options
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 20)) {
    throw new RangeError("limit: expected an integer from 1 to 20")
  }
  const folded = withoutInvisible(String(text).normalize("NFKC")).slice(0, maxAddressLength)
  const plain = withoutTags(folded)
    .replace(/[^\S\n]+/g, " ")
    .trim()
  if (isNothing(plain)) return { ...noAnswer, message: messages.nothing }
  const ofCoordinates = answerCoordinates(directory, plain, finest)
  if (ofCoordinates !== undefined) return ofCoordinates
  const sources = finest === "unit" ? addressSources(directory) : []
  const search = { directory, limit, finest, sources }
  const written = postcodeIn(plain)
  if (written === undefined) return answerNearly(directory, plain, limit, finest) ?? answerPlaced(search, plain)
  const rest = setAside(written.rest)
  const hasAddress = /[\p{L}\p{N}]/u.test(rest.text)
  const ofAddress = hasAddress ? answerText(search, written.rest) : undefined
  return answerBoth(directory, written.postcode, ofAddress, limit, finest)
}

/** `<b>12 Allen Avenue</b><br>Ikeja&nbsp;Lagos`: a tag separates, a space that does not break is one. */
const withoutTags = (text: string): string =>
  /[<&]/.test(text)
    ? text
        .replace(/<br\s*\/?>|<\/?(?:p|div|li|tr|td|h\d)(?:\s[^<>]{0,200})?\/?>/gi, "\n")
        .replace(/<\/?[a-z][a-z\d]{0,9}(?:\s[^<>]{0,200})?\/?>/gi, " ")
        .replace(/&(?:nbsp|#160|#xa0);/gi, " ")
        .replace(/&(?:amp|#38);/gi, "&")
        .replace(/&(?:apos|#0?39|quot|#34);/gi, "'")
    : text

/** The answer to a text that may have a coordinate, but no postcode. */
const answerPlaced = (search: Search, text: string): AddressAnswer => {
  const located = search.finest === "unit" ? coordinateAmong(text) : undefined
  if (located === undefined) return answerText(search, text)
  const hasAddress = /[\p{L}\p{N}]/u.test(setAside(located.rest).text)
  return answerWithCoordinate(search.directory, located, hasAddress ? answerText(search, located.rest) : undefined)
}

interface Search {
  readonly directory: Directory
  readonly limit: number
  readonly finest: "lga" | "unit"
  readonly sources: ReadonlyArray<AddressSource>
}

/** The answer to a text that has no postcode. */
const answerText = ({ directory, finest, limit, sources }: Search, text: string): AddressAnswer => {
  const limited = finest === "lga" ? "caller" : sources.length === 0 ? "directory" : undefined
  const found = { directory, limit, limited } as const
  const aside = setAside(text, (part) => isWholePlace(directory, part))
  const first = answerFor(found, sources, aside)
  const answer = answerBeforeBox(found, sources, text, first) ?? first
  // A name of the directory may have the words that were set aside; `Block 12, Allen Avenue` may be a house number.
  if (sources.length === 0 || !mayBeNamed(aside, answer, sources)) return answer
  const whole = answerFor(found, sources, { text, subpremise: null, flat: 0, ignored: [] })
  const isWhole = whole.understood.unmatched.length === 0
  const isNamed = isWhole && (whole.action === "accept" || isNameOf(whole, aside) || isPlaceOf(whole, answer))
  const isFound = whole.code !== null || whole.candidates.length > 0
  return isNamed || (isFound && answer.code === null && answer.candidates.length === 0) ? whole : answer
}

/** In `Saint Thomas College, Ibusa, P.M.B. 1003, Asaba`, the last town is that of the post office. */
const answerBeforeBox = (
  found: Pick<Found, "directory" | "limit" | "limited">,
  sources: ReadonlyArray<AddressSource>,
  text: string,
  { code, message, precision, understood: { ignored } }: AddressAnswer
): AddressAnswer | undefined => {
  const box = ignored.find(({ kind }) => kind === "box")
  if (box === undefined || code === null || precision === "unit") return undefined
  const at = text.indexOf(box.text)
  const town = /^\s*[,;\n]\s*\p{L}[\p{L}'’ -]{2,}/u.exec(text.slice(at + box.text.length))?.[0]
  if (at < 0 || town === undefined) return undefined
  const before = answerFor(found, sources, setAside(text.slice(0, at)))
  const words = wordsOf(text.slice(0, at))
  const isPlaced = wordsOf(before.understood.locality ?? "").every((word) => words.includes(word))
  if (!isPlaced || before.precision !== "unit" || before.code?.startsWith(code) !== true) return undefined
  const all = ignored.map((one) => (one === box ? { kind: box.kind, text: `${box.text}${town.trimEnd()}` } : one))
  const understood = { ...before.understood, ignored: all }
  return { ...before, confidence: "medium", action: "confirm", understood, message }
}

/** Whether all words of a text name one state or LGA. */
const isWholePlace = (directory: Directory, text: string): boolean => {
  const query = readQuery(text)
  const words = query.all & ~query.fillers
  return words !== 0 && mentionsIn(directory, query).some(({ mask }) => (words & ~mask) === 0)
}

/**
 * Words of people and parts of buildings stand in names, too: `Mr Biggs`, `Block 5 Primary School`. The directory has all
 * words of such a name.
 */
const mayBeNamed = (
  { ignored, subpremise }: WithoutSurroundings,
  { precision }: AddressAnswer,
  sources: ReadonlyArray<AddressSource>
): boolean => {
  const texts = ignored.flatMap(({ kind, text }) => (kind === "person" || kind === "request" ? [text] : []))
  if (subpremise !== null) texts.push(subpremise)
  const isKnown = (text: string): boolean => wordsOf(text).every((word) => isWord(sources, word))
  return precision === "unit" ? texts.some(isKnown) : texts.length > 0
}

/** Whether the name that was found has the part of a building: `State School Block 1`. */
const isNameOf = ({ understood: { name } }: AddressAnswer, { subpremise }: WithoutSurroundings): boolean => {
  if (name === null || subpremise === null) return false
  const named = wordsOf(name)
  return wordsOf(subpremise).every((word) => named.includes(word))
}

/** Whether a place in the place of an answer is named by the words that were set aside: `Alhaji Malari, Yunusari`. */
const isPlaceOf = (whole: AddressAnswer, { code, precision }: AddressAnswer): boolean =>
  whole.confidence === "high" &&
  whole.understood.locality !== null &&
  (precision === "lga" || precision === "state") &&
  whole.code !== null &&
  code !== null &&
  whole.code.length > code.length &&
  whole.code.startsWith(code)

const answerFor = (
  found: Pick<Found, "directory" | "limit" | "limited">,
  sources: ReadonlyArray<AddressSource>,
  aside: WithoutSurroundings
): AddressAnswer => {
  const query = readQuery(aside.text, aside.flat, (word) => isWord(sources, word) || isPlaceWord(found.directory, word))
  const mentions = mentionsIn(found.directory, query)
  const { hypotheses, localityWords } = hypothesesOf(found.directory, sources, query, mentions)
  const weighed = weigh(hypotheses)
  return answerOf({ ...found, query, mentions, localityWords, weighed, aside })
}

/** Whether a word is one of the directory. */
const isWord = (sources: ReadonlyArray<AddressSource>, word: string): boolean =>
  sources.length === 0 || sources.some(({ index }) => searcherOf(index, index).hasWord(word))

interface Meanings {
  readonly hypotheses: ReadonlyArray<Sourced>
  /** The words of the text that name localities of the directory. */
  readonly localityWords: number
}

/** What a text may mean according to each index. Places and "none of these" count once. */
const hypothesesOf = (
  directory: Directory,
  [edition, changed]: ReadonlyArray<AddressSource>,
  query: Query,
  mentions: ReadonlyArray<PlaceMention>
): Meanings => {
  const from = (source: AddressSource | undefined, all: ReadonlyArray<Hypothesis>) =>
    all.map((hypothesis): Sourced => ({ hypothesis, source }))
  if (edition === undefined) {
    const places = scorePlaces(query, mentions, wordCostsOf(query, mentions, []))
    return { hypotheses: from(edition, places), localityWords: 0 }
  }
  const searcher = searcherOf(edition.index, edition.index)
  const found = from(edition, searcher.search(directory, query, mentions))
  const { localityWords } = searcher
  if (changed === undefined) return { hypotheses: found, localityWords }
  const other = searcherOf(changed.index, edition.index)
  const others = other.search(directory, query, mentions).filter(({ kind }) => kind === "name" || kind === "locality")
  return { hypotheses: [...found, ...from(changed, others)], localityWords: localityWords | other.localityWords }
}

/** Arrays for searching one index, used again by each search. */
class Searcher {
  private readonly matches: WordMatches
  private readonly candidates: Candidates
  private readonly scorer: Scorer
  private readonly index: AddressIndex

  /** @param edition the index that the rarities of words come from */
  constructor(index: AddressIndex, edition: AddressIndex) {
    this.index = index
    this.matches = new WordMatches(index)
    this.candidates = new Candidates(index)
    this.scorer = new Scorer(index, this.candidates, this.matches, edition.textStarts.length)
  }

  search(directory: Directory, query: Query, mentions: ReadonlyArray<PlaceMention>): ReadonlyArray<Hypothesis> {
    const { matches, scorer } = this
    matches.read(query)
    this.score(query, mentions)
    // Words that exist, but explain nothing here, may be misspelled.
    const best = likeliest(scorer.hypotheses)
    const left = leftBy(query, best)
    // Words beside a house that stands are additions.
    if (left === 0 || (best.kind === "name" && !best.isUnlisted)) return scorer.hypotheses
    if (query.words.length > maxCorrected) return scorer.hypotheses
    matches.readMisspelled(query, left, placeWordsOf(mentions))
    this.score(query, mentions)
    this.readMisspelledNear(directory, query, mentions)
    this.readNamesNear(query, mentions)
    return scorer.hypotheses
  }

  /** The words of the last text that name localities. */
  get localityWords(): number {
    return this.scorer.localityWords
  }

  hasWord(word: string): boolean {
    return this.matches.wordOf(word) >= 0
  }

  private score(query: Query, mentions: ReadonlyArray<PlaceMention>): void {
    this.candidates.find(query, this.matches, mentions)
    this.scorer.score(query, mentions)
  }

  /** Words that are still left over may be misspelled beyond recognition, except for what the text seems to mean. */
  private readMisspelledNear(directory: Directory, query: Query, mentions: ReadonlyArray<PlaceMention>): void {
    const { index, matches, scorer } = this
    const certain = placeWordsOf(mentions)
    const near = scorer.hypotheses.filter(({ kind }) => kind !== "nothing").sort((a, b) => a.cost - b.cost)
    let all = mentions
    let hasLeft = false
    for (const hypothesis of near.slice(0, maxNear)) {
      const left = leftBy(query, hypothesis) & ~certain
      if (left === 0) continue
      hasLeft = true
      const { lga, locality, name, state } = hypothesis
      if (name >= 0) matches.readMisspelledIn(query, left, index.nameTexts[name] as number)
      if (locality >= 0) matches.readMisspelledIn(query, left, index.localityTexts[locality] as number)
      const stateCode = segmentText(0, state)
      all = withMisspelled(all, directory, query, stateCode, left)
      if (lga >= 0) all = withMisspelled(all, directory, query, `${stateCode}-${segmentText(1, lga % 100)}`, left)
    }
    if (hasLeft) this.score(query, all)
  }

  /** Words that are still left over may be a name in a locality of the text, shortened or misspelled. */
  private readNamesNear(query: Query, mentions: ReadonlyArray<PlaceMention>): void {
    const { index, matches, scorer } = this
    const best = likeliest(scorer.hypotheses)
    const left = leftBy(query, best) & ~placeWordsOf(mentions)
    if (left === 0 || (best.kind === "name" && !best.isUnlisted)) return
    const near = scorer.hypotheses.filter(({ locality }) => locality >= 0).sort((a, b) => a.cost - b.cost)
    const localities = new Set([...scorer.namedLocalities, ...near.map(({ locality }) => locality)])
    let isFound = false
    for (const locality of [...localities].slice(0, maxNearLocalities)) {
      const end = index.localityNames[locality + 1] as number
      for (let name = index.localityNames[locality] as number; name < end; name++) {
        isFound = matches.readNearIn(query, left, index.nameTexts[name] as number) || isFound
      }
    }
    if (isFound) this.score(query, mentions)
  }
}

/** Localities whose names are compared with words that are left over. */
const maxNearLocalities = 6

/** In longer texts, only words that the directory does not have are corrected. */
const maxCorrected = 20

/** The likeliest meanings, whose words are compared with those that are left over. */
const maxNear = 4

/** The words that a hypothesis leaves over and that can be misspelled. */
const leftBy = (query: Query, { covered, reading }: Hypothesis): number => {
  const described = reading === "beside" ? query.landmark : reading === "landmark" ? query.all & ~query.after : 0
  return query.all & ~covered & ~described & ~query.fillers & ~query.relation & ~query.numerals
}

const likeliest = (hypotheses: ReadonlyArray<Hypothesis>): Hypothesis =>
  hypotheses.reduce((best, hypothesis) => (hypothesis.cost < best.cost ? hypothesis : best))

/** By the names of the index: merging changes into an edition alters only the ids of its units. */
const searchers = new WeakMap<Uint32Array, Searcher>()

const searcherOf = (index: AddressIndex, edition: AddressIndex): Searcher => {
  const searcher = searchers.get(index.nameTexts) ?? new Searcher(index, edition)
  searchers.set(index.nameTexts, searcher)
  return searcher
}
