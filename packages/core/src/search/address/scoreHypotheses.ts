/**
 * Scores what a text may mean. Costs are negative log-probabilities, so they add up: what the hypothesis has and the text
 * does not mention, what is misspelled, and what the hypothesis does not explain.
 */
import { countBits } from "../../directory/codes/Bits.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import type { Candidates } from "./Candidates.ts"
import type { Hypothesis, Reading } from "./Hypothesis.ts"
import { houseOf } from "./houseOf.ts"
import type { PlaceMention } from "./query/PlaceMentions.ts"
import type { Query } from "./query/QueryText.ts"
import { TextReader } from "./query/TextReader.ts"
import type { WordMatches } from "./query/WordMatches.ts"
import {
  depthDespite,
  hypothesisOf,
  isCertain,
  scorePlaces,
  smallPlace,
  sumOf,
  unlisted,
  unmentionedState,
  type WordCosts,
  wordCostsOf
} from "./scorePlaces.ts"

const unmentioned = { locality: 1.3, lga: 0.7, state: unmentionedState }
/** The place is described by a landmark that is listed. */
const listedLandmark = 0.7
/** The name of a locality that is misspelled or not complete says little about a place in it that is not listed. */
const inexact = 2
/** It may have these words by chance, all the more without its LGA or state. */
const inexactLocality = 3
const unplacedLocality = 6
/** A name of which only words were found that also name its locality. */
const onlyLocality = 1.5

type NameFacts = Pick<Hypothesis, "depth" | "end" | "lga" | "locality" | "missingNumber" | "name" | "start">

/** A listed name after a word such as `behind`. */
interface Landmark {
  /** Its first unit: a house may be beside another of its street. */
  readonly start: number
  readonly lga: number
  readonly mask: number
  readonly cost: number
}

export class Scorer {
  readonly hypotheses: Array<Hypothesis> = []
  private readonly index: AddressIndex
  private readonly candidates: Candidates
  private readonly reader: TextReader
  private readonly matches: WordMatches
  private readonly landmarks: Array<Landmark> = []
  private query!: Query
  private mentions: ReadonlyArray<PlaceMention> = []
  private wordCosts!: WordCosts
  /** Of the name that is scored. */
  private isLocalityNamed = false
  private isTooLittle = false
  /** Whether the text has only such words of it as `health post`, and not the one that tells it apart. */
  private isGeneric = false
  /** Set by `readAround`: the words that name the locality, the LGA and the state of a name, and what is missing. */
  private localityMask = 0
  private localityCost = 0
  private contextMask = 0
  private contextCost = 0
  private aroundMask = 0
  private aroundCost = 0
  /** Set by `readPlaces`. */
  private placesMask = 0
  private placesCost = 0
  /** 1 if the LGA is named without an error, 0 if only the state is, otherwise −1. */
  private namedDepth = -1
  /** Set by `describe`: the words of the listed landmark. */
  private landmarkMask = 0

  /** @param texts number of texts that the rarities of words come from */
  constructor(index: AddressIndex, candidates: Candidates, matches: WordMatches, texts: number) {
    this.index = index
    this.candidates = candidates
    this.matches = matches
    this.reader = new TextReader(index, matches, texts)
  }

  score(query: Query, mentions: ReadonlyArray<PlaceMention>): void {
    this.query = query
    this.mentions = mentions
    this.hypotheses.length = 0
    this.landmarks.length = 0
    this.wordCosts = wordCostsOf(query, mentions, this.matches.rarities)
    const { localities, names } = this.candidates
    if (query.relation === 0) for (const name of names) this.scoreName(name, "ordinary")
    else this.scoreRelated(names)
    for (const locality of localities) this.scoreLocality(locality)
    for (const hypothesis of scorePlaces(query, mentions, this.wordCosts)) this.hypotheses.push(hypothesis)
  }

  /** Names in a text with a relation: names that contain its words, landmarks, and what stands before it. */
  private scoreRelated(names: ReadonlyArray<number>): void {
    const others: Array<number> = []
    for (const name of names) {
      if (this.containsRelation(name)) this.scoreName(name, "ordinary")
      else others.push(name)
    }
    for (const name of others) this.scoreName(name, "landmark")
    for (const name of others) this.scoreName(name, "before")
  }

  private containsRelation(name: number): boolean {
    const { index, query, reader } = this
    const { fillers, relation } = query
    const needed = relation & ~fillers
    reader.read(index.nameTexts[name] as number, needed)
    let mask = reader.mask
    this.readAround(name)
    mask |= this.aroundMask
    return (needed & ~mask) === 0
  }

  /** The words that name an LGA and its state, and the cost of what is not named. */
  private readPlaces(lga: number): void {
    const state = Math.floor(lga / 100)
    let lgaMention: PlaceMention | undefined
    let stateMention: PlaceMention | undefined
    for (const mention of this.mentions) {
      if (mention.lga === lga) lgaMention = mention
      else if (mention.lga < 0 && mention.state === state) stateMention = mention
    }
    this.placesMask = (lgaMention?.mask ?? 0) | (stateMention?.mask ?? 0)
    this.namedDepth = isNamed(lgaMention) ? 1 : isNamed(stateMention) ? 0 : -1
    this.placesCost = (lgaMention?.cost ?? unmentioned.lga) + (stateMention?.cost ?? unmentioned.state)
  }

  /** Reads the places of a name, which may be named anywhere in the text. */
  private readAround(name: number): void {
    const { candidates, index, query, reader } = this
    const locality = candidates.localityOf(name)
    reader.read(index.localityTexts[locality] as number, query.all)
    const { cost, dropped, found, mask } = reader
    this.localityMask = mask
    this.readPlaces(index.lgas[candidates.lgaOf(locality)] as number)
    this.isLocalityNamed = cost + dropped < inexact && this.isNamed(mask, found)
    reader.read(index.nameContexts[name] as number, query.all)
    this.aroundMask = mask | reader.mask | this.placesMask
    this.aroundCost = this.placesCost + (mask === 0 ? unmentioned.locality : Math.min(unmentioned.locality, dropped))
    this.localityCost = cost
    this.contextMask = reader.mask
    this.contextCost = reader.cost
  }

  /** Whether a locality's words stand together in the text, beside those of an LGA or state that is called the same. */
  private isNamed(mask: number, words: number): boolean {
    if (mask === 0 || !hasRun(mask, words)) return false
    return (mask & ~this.placesMask) !== 0 || countBits(mask) >= 2 * words
  }

  private scoreName(name: number, reading: Reading): void {
    const { candidates, index, query, reader } = this
    this.readAround(name)
    const places = this.localityMask | this.placesMask
    const side = reading === "ordinary" ? query.all : reading === "landmark" ? query.after : query.before | places
    reader.read(index.nameTexts[name] as number, side)
    const { dropped, found, mask, rareMask } = reader
    if (mask === 0) return
    const nameCost = reader.cost + dropped
    this.isGeneric = dropped > 0 && (rareMask & ~places) === 0
    // One word, without any place, is all that the name has in common with the text.
    this.isTooLittle = dropped > 0 && found === 1 && places === 0
    const locality = candidates.localityOf(name)
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    const known = mask | this.aroundMask
    const house = houseOf(index, query, name, locality, query.numerals & side & ~known)
    const repeats = (mask & ~this.aroundMask) === 0 ? onlyLocality : 0
    const cost = smallPlace + nameCost + repeats + this.aroundCost + this.errorsAround(mask) + house.cost
    if (reading === "landmark") {
      this.landmarks.push({ start: house.start, lga, mask: mask | house.mask, cost: nameCost + house.cost })
    }
    this.scoreReading(reading, known | house.mask, cost, {
      name,
      locality,
      lga,
      start: house.start,
      end: house.end,
      missingNumber: house.isMissing,
      depth: house.isWhole ? 4 : 3
    })
  }

  /** The cost of errors in the places of a name, but for words that the name explains as well. */
  private errorsAround(mask: number): number {
    const { contextMask, localityMask, placesMask } = this
    const ofLocality = (localityMask & ~mask) === 0 ? 0 : this.localityCost
    return ofLocality + ((contextMask & ~(mask | localityMask | placesMask)) === 0 ? 0 : this.contextCost)
  }

  /** Adds the costs of the words that a name does not cover. */
  private scoreReading(reading: Reading, covered: number, cost: number, of: NameFacts): void {
    const { after, all, before } = this.query
    const { left, unlisted } = this.wordCosts
    this.landmarkMask = 0
    if (reading === "ordinary") {
      this.pushName(of, reading, covered, cost + sumOf(all & ~covered, left), all & ~covered)
    } else if (reading === "landmark") {
      const described = listedLandmark + sumOf(before & ~covered, unlisted)
      this.pushName(of, reading, covered, cost + described + sumOf(after & ~covered, left), after & ~covered)
    } else {
      const described = this.describe(of, after & ~covered)
      this.pushName(
        of,
        reading,
        covered | this.landmarkMask,
        cost + described + sumOf(before & ~covered, left),
        before & ~covered
      )
    }
  }

  /** The cost of words as the landmark of a name: another name in its LGA, or something that is not listed. */
  private describe({ lga, start }: NameFacts, words: number): number {
    let least = sumOf(words, this.wordCosts.unlisted)
    for (const landmark of this.landmarks) {
      if (landmark.lga !== lga || landmark.start === start) continue
      const cost = listedLandmark + landmark.cost + sumOf(words & ~landmark.mask, this.wordCosts.left)
      if (cost >= least) continue
      least = cost
      this.landmarkMask = landmark.mask & words
    }
    return least
  }

  private pushName(of: NameFacts, reading: Reading, covered: number, cost: number, left: number): void {
    const { query } = this
    const { placeWords } = this.wordCosts
    const contradicted = query.all & ~covered & placeWords & ~query.fillers
    const rest = left & ~query.fillers & ~query.relation
    const isSibling = rest !== 0 || of.missingNumber || query.isCut
    let { depth } = of
    if (isSibling) depth = Math.min(depth, 3)
    if (reading === "landmark") depth = Math.min(depth, 2)
    const hasOtherName = (rest & ~query.numerals) !== 0
    if (hasOtherName && !this.isLocalityNamed) depth = Math.min(depth, this.namedDepth)
    if (contradicted !== 0) depth = Math.min(depth, depthDespite(this.mentions, contradicted, Math.floor(of.lga / 100)))
    if (this.isTooLittle) depth = -1
    if (this.isGeneric) depth = Math.min(depth, this.isLocalityNamed ? 3 : 1)
    const { localityUnits } = this.index
    this.push({
      kind: "name",
      reading,
      isUnlisted: isSibling || contradicted !== 0,
      cost,
      name: of.name,
      locality: of.locality,
      lga: of.lga,
      covered,
      start: of.start,
      end: of.end,
      spreadStart: hasOtherName ? (localityUnits[of.locality] as number) : of.start,
      spreadEnd: hasOtherName ? (localityUnits[of.locality + 1] as number) : of.end,
      depth,
      missingNumber: of.missingNumber
    })
  }

  private scoreLocality(locality: number): void {
    const { candidates, index, query, reader } = this
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    reader.read(index.localityTexts[locality] as number, query.all)
    const { found, mask: localityMask, rareMask } = reader
    if (localityMask === 0) return
    this.readPlaces(lga)
    const localityCost = reader.cost + reader.dropped
    reader.read(index.localityContexts[locality] as number, query.all)
    const contextCost = (reader.mask & ~(localityMask | this.placesMask)) === 0 ? 0 : reader.cost
    const cost = smallPlace + localityCost + contextCost + this.placesCost
    const covered = localityMask | reader.mask | this.placesMask
    const left = query.all & ~covered
    const of = {
      kind: "locality" as const,
      locality,
      lga,
      start: index.localityUnits[locality] as number,
      end: index.localityUnits[locality + 1] as number,
      covered
    }
    const rest = left & ~query.fillers
    if (rest === 0) this.push({ ...of, cost: cost + sumOf(left, this.wordCosts.left), depth: 4 })
    else {
      const contradicted = rest & this.wordCosts.placeWords
      const isNamed = localityCost < inexact && rareMask !== 0 && this.isNamed(localityMask, found)
      let depth = isNamed ? 3 : this.namedDepth
      if (contradicted !== 0) depth = Math.min(depth, depthDespite(this.mentions, contradicted, Math.floor(lga / 100)))
      const doubt = (isNamed ? 0 : inexactLocality) + (this.namedDepth < 0 ? unplacedLocality : 0)
      this.push({
        ...of,
        cost: cost + unlisted + doubt + sumOf(left, this.wordCosts.unlisted),
        depth,
        isUnlisted: true
      })
    }
  }

  private push(of: Parameters<typeof hypothesisOf>[0]): void {
    this.hypotheses.push(hypothesisOf(of))
  }
}

/** Whether so many bits stand side by side. */
const hasRun = (mask: number, length: number): boolean => {
  let runs = mask
  for (let at = 1; at < length; at++) runs &= runs >>> 1
  return runs !== 0
}

const isNamed = (mention: PlaceMention | undefined): boolean => mention !== undefined && isCertain(mention)
