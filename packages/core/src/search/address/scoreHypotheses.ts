/**
 * Scores what a text may mean. Costs are negative log-probabilities, so they add up: what the hypothesis has and the text
 * does not mention, what is misspelled, and what the hypothesis does not explain.
 */
import { type AddressIndex, firstAtLeast, nameEnd } from "../../directory/text/AddressIndex.ts"
import { houseNumber, letterValue } from "../../directory/text/HouseNumber.ts"
import type { Candidates } from "./Candidates.ts"
import type { Hypothesis, Reading } from "./Hypothesis.ts"
import type { PlaceMention } from "./PlaceMentions.ts"
import type { Query } from "./QueryText.ts"
import {
  contradictedPlace,
  hypothesisOf,
  scorePlaces,
  smallPlace,
  sumOf,
  unlisted,
  unmentionedState,
  type WordCosts,
  wordCostsOf
} from "./scorePlaces.ts"
import type { WordMatches } from "./WordMatches.ts"

const unmentioned = { locality: 1.3, lga: 0.7, state: unmentionedState, number: 1 }
const droppedNumeral = 3
const droppedRare = 3.2
const droppedGeneric = 1.4
/** A word in one text of a hundred says what kind of place it is; one in 700 tells it apart. */
const rarities = { generic: 4.6, rare: 6.5 }
/** For each word of a landmark's description, and of what is before a landmark. */
const description = 0.8
const maxDescription = 3
const landmarkReading = 0.7
/** The name of a locality that is misspelled or not complete says little about a place in it that is not listed. */
const inexact = 2
/** A name of which only words were found that also name its locality. */
const onlyLocality = 1.5

type NameFacts = Partial<Hypothesis> & Pick<Hypothesis, "kind">

export class Scorer {
  readonly hypotheses: Array<Hypothesis> = []
  private readonly index: AddressIndex
  private readonly genericRarity: number
  private readonly rareRarity: number
  private readonly candidates: Candidates
  private readonly matches: WordMatches
  private query!: Query
  private mentions: ReadonlyArray<PlaceMention> = []
  private wordCosts!: WordCosts
  /** Of the name that is scored. */
  private isLocalityNamed = false
  private localityCost = 0
  private isPlaceNamed = false
  private isTooLittle = false
  /** Whether the text has only such words of it as `health post`, and not the one that tells it apart. */
  private isGeneric = false
  /** Set by `readText`. */
  private textIsRare = false
  private textMask = 0
  private textCost = 0
  private textDropped = 0

  constructor(index: AddressIndex, candidates: Candidates, matches: WordMatches) {
    this.index = index
    this.candidates = candidates
    this.matches = matches
    // Small directories have no rare words.
    const rarest = Math.log(index.textStarts.length)
    this.genericRarity = Math.min(rarities.generic, 0.5 * rarest)
    this.rareRarity = Math.min(rarities.rare, 0.7 * rarest)
  }

  score(query: Query, mentions: ReadonlyArray<PlaceMention>): void {
    this.query = query
    this.mentions = mentions
    this.hypotheses.length = 0
    this.wordCosts = wordCostsOf(query, mentions, this.matches.rarities)
    for (const name of this.candidates.names) this.scoreName(name)
    for (const locality of this.candidates.localities) this.scoreLocality(locality)
    for (const hypothesis of scorePlaces(query, mentions, this.wordCosts)) this.hypotheses.push(hypothesis)
  }

  /** Which words of the query a text contains, and the cost of those that the query lacks. */
  private readText(text: number, dropped: number): void {
    const { textWords, textWordStarts, wordRarities } = this.index
    const { costs, masks } = this.matches
    let mask = 0
    let cost = 0
    let droppedCost = 0
    this.textIsRare = false
    const end = textWordStarts[text + 1] as number
    for (let at = textWordStarts[text] as number; at < end; at++) {
      const word = textWords[at] as number
      const found = masks[word] as number
      if (found !== 0) {
        mask |= found
        if ((wordRarities[word] as number) > 16 * this.genericRarity) this.textIsRare = true
        cost += costs[word] as number
      } else droppedCost += dropped * this.droppedCost((wordRarities[word] as number) / 16, this.isNumeralWord(word))
    }
    this.textMask = mask
    this.textCost = cost + droppedCost
    this.textDropped = droppedCost
  }

  private droppedCost(rarity: number, isNumeral: boolean): number {
    if (isNumeral) return droppedNumeral
    const share = (rarity - this.genericRarity) / (this.rareRarity - this.genericRarity)
    return droppedGeneric + (droppedRare - droppedGeneric) * Math.min(1, Math.max(0, share))
  }

  private isNumeralWord(word: number): boolean {
    const { wordBytes, wordStarts } = this.index
    const start = wordStarts[word] as number
    const first = wordBytes[start] as number
    return (wordStarts[word + 1] as number) - start === 1 || (first >= 0x30 && first <= 0x39)
  }

  private readonly placeMasks = { mask: 0, cost: 0 }

  /** The words that name an LGA and its state, and the cost of what is not named. */
  private readPlaces(lga: number): void {
    const state = Math.floor(lga / 100)
    let lgaMention: PlaceMention | undefined
    let stateMention: PlaceMention | undefined
    for (const mention of this.mentions) {
      if (mention.lga === lga) lgaMention = mention
      else if (mention.lga < 0 && mention.state === state) stateMention = mention
    }
    this.placeMasks.mask = (lgaMention?.mask ?? 0) | (stateMention?.mask ?? 0)
    this.placeMasks.cost = (lgaMention?.cost ?? unmentioned.lga) + (stateMention?.cost ?? unmentioned.state)
  }

  private scoreName(name: number): void {
    const { candidates, index } = this
    const locality = candidates.localityOf(name)
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    this.readText(index.nameTexts[name] as number, 1)
    const nameMask = this.textMask
    if (nameMask === 0) return
    const nameCost = this.textCost
    this.isGeneric = !this.textIsRare && this.textDropped >= droppedNumeral
    const isPart = this.textDropped > 0
    let cost = smallPlace + nameCost
    this.readText(index.localityTexts[locality] as number, 1)
    const localityMask = this.textMask
    this.localityCost = this.textCost
    cost += localityMask === 0 ? unmentioned.locality : Math.min(unmentioned.locality, this.textCost)
    this.readText(index.nameContexts[name] as number, 0)
    this.readPlaces(lga)
    this.isLocalityNamed = localityMask !== 0 && this.localityCost < inexact
    this.isPlaceNamed = this.isLocalityNamed || this.placeMasks.mask !== 0
    this.isTooLittle = this.isScarce(nameMask, localityMask | this.placeMasks.mask, isPart)
    const others = localityMask | this.textMask | this.placeMasks.mask
    cost += this.placeMasks.cost
    if ((nameMask & ~others) === 0) cost += onlyLocality
    const house = this.houseOf(name, locality, nameMask | others)
    const covered = nameMask | others | house.mask
    this.readings(nameMask | house.mask, covered, cost + house.cost, {
      kind: "name",
      name,
      locality,
      lga,
      start: house.start,
      end: house.end,
      missingNumber: house.isMissing,
      depth: house.isWhole ? 4 : 3
    })
  }

  /** Whether one word, without any place, is all that a name has in common with the text. */
  private isScarce(mask: number, places: number, isPart: boolean): boolean {
    return isPart && places === 0 && (mask & (mask - 1)) === 0
  }

  /** The units of a name that a house number in the text selects. */
  private houseOf(name: number, locality: number, covered: number) {
    const { index, query } = this
    const start = index.nameUnits[name] as number
    const end = nameEnd(index, name, locality)
    const house = { start, end, mask: 0, cost: 0, isMissing: false, isWhole: true }
    if (index.numbers.length === 0 || end === start || index.numbers[end - 1] === 0) return house
    let flat = 0
    let mask = 0
    let number = 0
    let letter = 0
    for (let rest = query.numerals & ~covered; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      const word = query.words[31 - Math.clz32(bit)] as string
      const read = /^(\d{1,6})([a-z])?$/.exec(word)
      if (read === null) continue
      if ((query.flats & bit) !== 0) {
        flat = Number(read[1])
        mask |= bit
      } else if (number === 0) {
        number = Number(read[1])
        letter = letterValue(read[2] ?? "")
        mask |= bit
      }
    }
    if (number === 0) return { ...house, cost: unmentioned.number, isWhole: false }
    const wanted = houseNumber(number, letter, 0)
    const first = firstAtLeast(index.numbers, start, end, wanted)
    const last = firstAtLeast(index.numbers, first, end, wanted + 1024)
    if (first === last || wanted === 0) return { ...house, isMissing: true }
    if (flat === 0) return { ...house, start: first, end: last, mask }
    const exact = houseNumber(number, letter, flat)
    const at = firstAtLeast(index.numbers, first, last, exact)
    if (at < last && index.numbers[at] === exact) {
      return { ...house, start: at, end: firstAtLeast(index.numbers, at, last, exact + 1), mask }
    }
    return { ...house, start: first, end: last, mask: mask & ~query.flats, isWhole: false, isMissing: true }
  }

  /** Adds the readings of a name that fit the relation of the text. */
  private readings(own: number, covered: number, cost: number, of: NameFacts): void {
    const { after, all, before, relation } = this.query
    this.pushName(of, "ordinary", covered, cost + sumOf(all & ~covered, this.wordCosts.left), all & ~covered)
    if (relation === 0 || (own & relation) !== 0) return
    if ((own & before) === 0) {
      const left = after & ~covered
      const described = this.describe(before & ~covered)
      this.pushName(
        of,
        "landmark",
        covered,
        cost + landmarkReading + described + sumOf(left, this.wordCosts.left),
        left
      )
    } else if ((own & after) === 0) {
      const left = before & ~covered
      const described = this.describe(after & ~covered)
      this.pushName(of, "before", covered, cost + described + sumOf(left, this.wordCosts.left), left)
    }
  }

  private describe(mask: number): number {
    let cost = 0
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      cost += (this.wordCosts.placeWords & bit) !== 0 ? contradictedPlace : description
    }
    return Math.min(Math.max(maxDescription, this.contradictionOf(mask)), cost)
  }

  private contradictionOf(mask: number): number {
    return (mask & this.wordCosts.placeWords) !== 0 ? 2 * contradictedPlace : 0
  }

  private pushName(of: NameFacts, reading: Reading, covered: number, cost: number, left: number): void {
    const { query } = this
    const { placeWords } = this.wordCosts
    const contradicted = query.all & ~covered & placeWords & ~query.fillers
    const rest = left & ~query.fillers & ~query.relation
    const isSibling = rest !== 0 || of.missingNumber === true || query.isCut
    let depth = of.depth ?? 4
    if (isSibling) depth = Math.min(depth, 3)
    if (reading === "landmark") depth = Math.min(depth, 2)
    const hasOtherName = (rest & ~query.numerals) !== 0
    if (hasOtherName && !this.isLocalityNamed) depth = Math.min(depth, this.isPlaceNamed ? 1 : -1)
    if (contradicted !== 0) depth = Math.min(depth, this.depthDespite(contradicted, of.lga ?? -1))
    if (this.isTooLittle) depth = -1
    if (this.isGeneric) depth = Math.min(depth, this.isLocalityNamed ? 3 : 1)
    const spread = hasOtherName ? this.unitsOfLocality(of.locality ?? -1) : undefined
    this.push({ ...of, ...spread, reading, covered, cost, isUnlisted: isSibling || contradicted !== 0, depth })
  }

  private unitsOfLocality(locality: number) {
    const { localityUnits } = this.index
    return { spreadStart: localityUnits[locality] as number, spreadEnd: localityUnits[locality + 1] as number }
  }

  /** How deep a place counts of which the text names another LGA or state: only what both lie in is certain. */
  private depthDespite(contradicted: number, lga: number): number {
    const state = Math.floor(lga / 100)
    const others = this.mentions.filter(({ cost, mask }) => cost < 1 && (mask & contradicted) !== 0)
    return others.every((mention) => mention.state === state) ? 0 : -1
  }

  private scoreLocality(locality: number): void {
    const { candidates, index, query } = this
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    this.readText(index.localityTexts[locality] as number, 1)
    const localityMask = this.textMask
    if (localityMask === 0) return
    this.readPlaces(lga)
    const localityCost = this.textCost
    const cost = smallPlace + localityCost + this.placeMasks.cost
    this.readText(index.localityContexts[locality] as number, 0)
    const covered = localityMask | this.textMask | this.placeMasks.mask
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
      let depth = localityCost < inexact ? 3 : this.placeMasks.mask === 0 ? -1 : 1
      if (contradicted !== 0) depth = Math.min(depth, this.depthDespite(contradicted, lga))
      this.push({ ...of, cost: cost + unlisted + sumOf(left, this.wordCosts.unlisted), depth, isUnlisted: true })
    }
  }

  private push(of: Parameters<typeof hypothesisOf>[0]): void {
    this.hypotheses.push(hypothesisOf(of))
  }
}
