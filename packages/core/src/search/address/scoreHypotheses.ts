/**
 * Scores what a text may mean. Costs are negative log-probabilities, so they add up: what the hypothesis has and the text
 * does not mention, what is misspelled, and what the hypothesis does not explain.
 */
import { countBits } from "../../directory/codes/Bits.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import { additionsCost, areKinds, coreOf, hasCore, highest, isStreetName, lowest, streetParts } from "./Additions.ts"
import type { Candidates } from "./Candidates.ts"
import type { Doubt, Hypothesis, Reading } from "./Hypothesis.ts"
import { houseOf } from "./houseOf.ts"
import type { PlaceMention } from "./query/PlaceMentions.ts"
import type { Query } from "./query/QueryText.ts"
import { isStreetWord } from "./query/StreetWords.ts"
import { TextReader } from "./query/TextReader.ts"
import { nearShortenedCost, type WordMatches } from "./query/WordMatches.ts"
import {
  depthDespite,
  elsewhere,
  endsElsewhere,
  hypothesisOf,
  isCertain,
  scorePlaces,
  smallPlace,
  sumOf,
  unknownRarity,
  unlisted,
  unmentionedState,
  type WordCosts,
  wordCostsOf
} from "./scorePlaces.ts"

const unmentioned = { locality: 1.3, lga: 0.7, state: unmentionedState }
const otherLocality = 4
const tornStreet = 6
/** A street is named after the locality, and may be elsewhere. */
const streetOfLocality = 6
/** The locality is all that stands after the last comma. */
const lastLocality = 2
/** The place is described by a landmark that is listed. */
const listedLandmark = 0.7
/** The name of a locality that is misspelled or not complete says little about a place in it that is not listed. */
const inexact = 2
/** It may have these words by chance, all the more without its LGA or state. */
const inexactLocality = 3
const unplacedLocality = 6
/** The text names the town that is called as its state, and the place is elsewhere in the state. */
const outsideTown = 3
/** The name may have the words for the place before it, too. */
const afterPlace = 3.5
/** Beside a house, the text names another locality. */
const otherPlace = 4
/** The text names the town that is called as the LGA, and the place is elsewhere in the LGA. */
const otherTown = additionsCost(1) + otherPlace
/** A name of which only words were found that also name its locality. */
const onlyLocality = 1.5
/** A name elsewhere that has only the words of a locality: `Market Street, Rumuokoro` for `Rumuokoro`. */
const calledAsLocality = 4

/** The costs of a name's words without an error, and with one. */
const exact = 1
const oneError = 5.5
const typingError = 5
type NameFacts = Pick<Hypothesis, "depth" | "doubt" | "end" | "lga" | "locality" | "missingNumber" | "name" | "start">

/** A locality that the text has twice at least: once may be its LGA, which is called the same. */
interface Town {
  readonly locality: number
  readonly mask: number
  /** Number of words of its name. */
  readonly words: number
}

/** A listed name after a word such as `behind`. */
interface Landmark {
  /** Its first unit: a house may be beside another of its street. */
  readonly start: number
  readonly lga: number
  readonly mask: number
  /** The words for its locality, if the text names that after it. */
  readonly placeMask: number
  /** The words for its LGA, if the text names that after it. */
  readonly lgaMask: number
  readonly hasNumber: boolean
  readonly cost: number
}

export class Scorer {
  readonly hypotheses: Array<Hypothesis> = []
  private readonly index: AddressIndex
  private readonly candidates: Candidates
  private readonly reader: TextReader
  private readonly matches: WordMatches
  private readonly landmarks: Array<Landmark> = []
  /** The words of all localities that the text names in full. */
  localityWords = 0
  /** The words of each of them. */
  private readonly localityNames: Array<number> = []
  /** Their numbers. */
  readonly namedLocalities: Array<number> = []
  private readonly towns: Array<Town> = []
  private query!: Query
  private mentions: ReadonlyArray<PlaceMention> = []
  private wordCosts!: WordCosts
  /** Of the name that is scored. */
  private isLocalityNamed = false
  private isTooLittle = false
  /** Whether the text has only such words of it as `health post`, and not the one that tells it apart. */
  private isGeneric = false
  /** Whether the text has a number, but not one of its house, and each of its words is corrected. */
  private isGuess = false
  /** Set by `readAround`: the words that name the locality, the LGA and the state of a name, and what is missing. */
  private localityMask = 0
  private localityCost = 0
  private contextMask = 0
  private contextCost = 0
  private aroundMask = 0
  private aroundCost = 0
  private isElsewhere = false
  /** Whether the locality is called as its LGA, which the text names. */
  private isNamesake = false
  /** The words for the town that is called as the LGA, if the locality is another one. */
  private otherTownMask = 0
  /** Set by `readPlaces`. */
  private placesMask = 0
  private placesCost = 0
  /** The words that name the LGA without doubt. */
  private lgaMask = 0
  private stateMask = 0
  /** The words for the town that the LGA is a part of, and those for the LGA itself. */
  private townMask = 0
  private ownMask = 0
  private state = -1
  /** 1 if the LGA is named without an error, 0 if only the state is, otherwise −1. */
  private namedDepth = -1
  /** Whether the text names a town that is called as its state, and not the LGA: `Bauchi` and a place in Ganjuwa. */
  private isOutsideTown = false
  /** Whether the state is named by a word that is a town's name, too. */
  private isStateTown = false
  /** Whether the LGA is named only by the city that a part of it belongs to. */
  private isSuburb = false
  /** The only state in which all places without an error lie, or −1. */
  private onlyState = -1
  /** Whether the text names another place beside the house. */
  private hasOtherPlace = false
  /** Set by `scoreName`: the words of the name and its number, and whether all of it is in the text. */
  private core = 0
  private isComplete = false
  private hasNumber = false
  /** Whether the name has only words such as `primary school` and its place. */
  private isPlain = false
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
    this.onlyState = onlyStateOf(mentions)
    this.wordCosts = wordCostsOf(query, mentions, this.matches.rarities)
    const { localities, names } = this.candidates
    this.findLocalities(localities)
    if (query.relation === 0) for (const name of names) this.scoreName(name, "ordinary")
    else this.scoreRelated(names)
    for (const locality of localities) this.scoreLocality(locality)
    for (const hypothesis of scorePlaces(query, mentions, this.wordCosts)) this.push(hypothesis)
  }

  /** The words of localities that the text names in full. */
  private findLocalities(localities: ReadonlyArray<number>): void {
    this.localityNames.length = 0
    this.namedLocalities.length = 0
    this.localityWords = 0
    this.towns.length = 0
    for (const locality of localities) {
      this.reader.read(this.index.localityTexts[locality] as number, this.query.all)
      const { cost, dropped, found, mask } = this.reader
      if (dropped === 0 && countBits(mask) >= 2 * found) this.towns.push({ locality, mask, words: found })
      if (mask !== 0 && cost === 0 && dropped === 0 && hasRun(mask, found)) {
        this.localityNames.push(mask)
        this.namedLocalities.push(locality)
        this.localityWords |= mask
      }
    }
  }

  /** Names in a text with a relation: names that contain its words, landmarks, and what stands beside it. */
  private scoreRelated(names: ReadonlyArray<number>): void {
    const others: Array<number> = []
    for (const name of names) {
      if (this.containsRelation(name)) this.scoreName(name, "ordinary")
      else others.push(name)
    }
    for (const name of others) this.scoreName(name, "landmark")
    for (const name of others) this.scoreName(name, "beside")
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
    this.state = state
    let lgaMention: PlaceMention | undefined
    let stateMention: PlaceMention | undefined
    for (const mention of this.mentions) {
      if (mention.isStreet) continue
      if (mention.lga === lga) lgaMention = mention
      else if (mention.lga < 0 && mention.state === state) stateMention = mention
    }
    this.placesMask = (lgaMention?.mask ?? 0) | (stateMention?.mask ?? 0)
    this.townMask = lgaMention?.townMask ?? 0
    this.ownMask = (lgaMention?.mask ?? 0) & ~this.townMask
    this.lgaMask = lgaMention !== undefined && isCertain(lgaMention) ? lgaMention.mask : 0
    this.stateMask = stateMention?.mask ?? 0
    this.namedDepth = isNamed(lgaMention) ? 1 : isNamed(stateMention) ? 0 : -1
    this.placesCost = costOf(lgaMention, unmentioned.lga) + (stateMention?.cost ?? unmentioned.state)
    this.isSuburb = (lgaMention?.townCost ?? 0) >= 1
    const isTownNamed =
      stateMention !== undefined &&
      !stateMention.isKindWritten &&
      this.mentions.some((one) => one.lga >= 0 && one.state === state && isSameTown(one, stateMention))
    this.isStateTown = isTownNamed || isCalledSame(lgaMention, stateMention, this.query)
    this.isOutsideTown = isTownNamed && !isNamed(lgaMention)
  }

  /** Reads the places of a name, which may be named anywhere in the text. */
  private readAround(name: number): void {
    const { candidates, index, query, reader } = this
    const locality = candidates.localityOf(name)
    reader.read(index.localityTexts[locality] as number, query.all)
    const { cost, dropped, found } = reader
    const mask = withoutOtherNumerals(query, reader.mask)
    this.localityMask = mask
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    this.readPlaces(lga)
    this.isLocalityNamed = cost + dropped < inexact && this.isNamed(mask, found)
    reader.read(index.nameContexts[name] as number, query.all)
    this.aroundMask = mask | reader.mask | this.placesMask
    this.aroundCost = this.placesCost + (mask === 0 ? unmentioned.locality : Math.min(unmentioned.locality, dropped))
    // The town's name may be that of another locality in it.
    const hasText = (index.localityTexts[locality] as number) !== 0
    if (hasText && mask === 0 && this.townMask !== 0 && !this.isStateTown) this.aroundCost += otherLocality
    if (this.isOutsideTown && !this.isLocalityNamed) this.aroundCost += outsideTown
    // `12 Lekki Road` is hardly 12 Mission Road in Ibeju-Lekki.
    if (mask !== 0 && this.isStreetName(mask)) this.aroundCost += streetOfLocality
    this.isNamesake = !this.isLocalityNamed && mask !== 0 && dropped === 0 && this.namedDepth === 1
    this.isElsewhere = this.isFarFrom(lga, mask, dropped)
    if (this.isElsewhere) this.aroundCost += elsewhere
    this.localityCost = cost
    this.contextMask = reader.mask
    const isMentioned = this.isLocalityNamed || (mask & ~this.placesMask) !== 0
    this.otherTownMask = hasText && !isMentioned ? this.otherTownOf(locality, lga) : 0
    this.contextCost = reader.cost
  }

  /** `15 Oghogho Street, Egor, Egor, Edo` is in Egor town, and not in another locality of Egor. */
  private otherTownOf(locality: number, lga: number): number {
    const { candidates, index } = this
    for (const town of this.towns) {
      const isOther = town.locality !== locality && index.lgas[candidates.lgaOf(town.locality)] === lga
      const isOnlyPlace = (town.mask & ~this.placesMask) === 0 && (town.mask & this.contextMask) === 0
      if (isOther && isOnlyPlace && this.isNamed(town.mask, town.words)) return town.mask
    }
    return 0
  }

  /** Whether the text ends with another LGA or state, and not with a locality that is called the same. */
  private isFarFrom(lga: number, localityMask: number, dropped: number): boolean {
    const { last } = this.query
    if (last === 0 || (dropped === 0 && (last & ~localityMask) === 0)) return false
    return endsElsewhere(this.query, this.mentions, lga, Math.floor(lga / 100))
  }

  /** Whether a locality's words stand together in the text, beside those of an LGA or state that is called the same. */
  private isNamed(mask: number, words: number): boolean {
    if (mask === 0 || !hasRun(mask, words) || this.isStreetName(mask)) return false
    if ((mask & ~this.placesMask) !== 0) return true
    // `Oyo West, Oyo` has the name once: the first is that of the LGA.
    const alone = (this.ownMask & ~mask & ~this.query.fillers) === 0 ? mask : mask & ~this.ownMask
    const isBefore = alone !== mask && alone !== 0 && lowest(alone) < lowest(this.ownMask)
    return isBefore || countBits(alone) >= (this.isGombe(mask) ? 3 : 2) * words
  }

  /** Whether some words name both an LGA and its state: `Gombe, Gombe`. */
  private isGombe(mask: number): boolean {
    return this.isStateTown && (mask & this.stateMask) !== 0 && (mask & ~this.placesMask) === 0
  }

  /** Whether words are those that a street is named by: `Ikorodu Road, Shomolu`. */
  private isStreetName(mask: number): boolean {
    return (mask & ~this.query.streetNames) === 0
  }

  private scoreName(name: number, reading: Reading): void {
    const { candidates, index, query, reader } = this
    this.readAround(name)
    const places = this.localityMask | this.placesMask
    const side = reading === "ordinary" ? query.all : reading === "landmark" ? query.after : query.rest | places
    reader.read(index.nameTexts[name] as number, side)
    const { cost: errors, dropped, droppedStreets, found, rareMask } = reader
    const mask = withoutOtherNumerals(query, reader.mask)
    if (mask === 0 || (reading === "beside" && this.isOnlyLandmark(name))) return
    // `Egor Primary School, Egor` names the school so.
    if ((mask & this.otherTownMask) !== 0) this.otherTownMask = 0
    const nameCost = errors + dropped
    // One word, without any place, is all that the name has in common with the text.
    this.isTooLittle = dropped > 0 && found === 1 && places === 0
    const locality = candidates.localityOf(name)
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    const known = mask | this.aroundMask
    const own = (mask & ~this.aroundMask) === 0 ? mask : mask & ~this.aroundMask
    // Opposite City Hall is not opposite the Community Hall.
    if (reading === "landmark" && dropped > 0 && areKinds(query, own)) return
    const house = houseOf(index, query, name, locality, query.numerals & side & ~known, own)
    // `Otigba Street` is no other street.
    if (dropped > 0 && house.mask === 0 && (own & ~query.streets) === 0) return
    const isTypeless = dropped > 0 && dropped === droppedStreets && this.isHouse(own, house.mask)
    this.isGeneric = dropped > 0 && !isTypeless && (rareMask & ~(places | query.streetNames)) === 0
    // No house, and every word of the name is corrected, others are missing: the directory hardly has it.
    const isOther = dropped > 0 || (query.numerals & side & ~known) !== 0
    this.isGuess = house.mask === 0 && errors >= typingError * found && isOther
    const isLocality = dropped > 0 && house.mask === 0 && this.localityNames.includes(mask)
    const repeats = (mask & ~this.aroundMask) === 0 ? onlyLocality : isLocality ? calledAsLocality : 0
    const torn = this.isTorn(own) ? tornStreet : 0
    const split = reading === "ordinary" && house.mask === 0 && this.isAfterPlace(mask, own) ? afterPlace : 0
    const far = this.otherTownMask === 0 ? 0 : otherTown
    const ofName = nameCost + torn + split + repeats + house.cost
    const cost = smallPlace + ofName + this.aroundCost + this.errorsAround(mask) + far
    if (reading === "landmark") {
      const words = mask | house.mask
      const isPlaced = this.isLocalityNamed && lowest(this.localityMask) > highest(words)
      const placeMask = isPlaced ? this.localityMask & ~this.placesMask : 0
      const lgaMask = this.lgaMask !== 0 && lowest(this.lgaMask) > highest(words) ? this.lgaMask : 0
      const hasNumber = house.mask !== 0
      const landmarkCost = nameCost + house.cost
      this.landmarks.push({ start: house.start, lga, mask: words, placeMask, lgaMask, hasNumber, cost: landmarkCost })
    }
    const isStreet = house.mask === 0 && isStreetName(query, own)
    this.core = coreOf(query, own | house.mask)
    this.hasNumber = house.mask !== 0
    this.isComplete =
      (dropped === 0 || isTypeless) &&
      torn === 0 &&
      !house.isMissing &&
      !isStreet &&
      (house.mask !== 0
        ? errors < oneError && (this.isLocalityNamed || this.namedDepth === 1)
        : house.isWhole && nameCost < exact && this.isLocalityNamed && (mask & ~this.aroundMask) !== 0)
    this.isPlain = house.mask === 0 && (rareMask & ~places) === 0
    this.scoreReading(reading, known | house.mask, cost, {
      name,
      locality,
      lga,
      start: house.start,
      end: house.end,
      missingNumber: house.isMissing,
      doubt: house.isNear ? "number" : isTypeless ? "street" : this.textDoubt(own, errors),
      depth: house.isWhole && !isStreet ? 4 : 3
    })
  }

  /** Whether the text has a name only as that of its landmark. */
  private isOnlyLandmark(name: number): boolean {
    const { index, query, reader } = this
    const start = index.nameUnits[name]
    const before = query.all & ((query.relation & -query.relation) - 1)
    const described = query.landmark & ~query.fillers
    const isLandmark = ({ cost, hasNumber, mask, start: first }: Landmark): boolean =>
      first === start && cost < exact && !hasNumber && (described & ~mask) === 0
    if ((before & ~query.fillers) === 0 || !this.landmarks.some(isLandmark)) return false
    reader.read(index.nameTexts[name] as number, before)
    return reader.dropped > 0
  }

  /** The doubt about a name that is hardly recognized, or a place that the text names in part or not at all. */
  private textDoubt(own: number, errors: number): Doubt {
    if ((own & this.matches.far) !== 0 && errors >= nearShortenedCost) return "spelling"
    if (this.isLocalityNamed) return "none"
    if (this.isOutsideTown || this.isSuburb || this.otherTownMask !== 0) return "place"
    if (!this.hasNumber || this.namedDepth >= 0 || this.isNamesake) return "none"
    return (this.localityMask | this.placesMask) === 0 ? "nowhere" : "spelling"
  }

  /** Whether the name stands directly after words for its place: `Fagge Central Mosque` is rather not a Central Mosque. */
  private isAfterPlace(mask: number, own: number): boolean {
    const first = lowest(own)
    const { segments } = this.query
    return first > 0 && segments[first - 1] === segments[first] && (this.aroundMask & ~mask & (1 << (first - 1))) !== 0
  }

  /** Whether a number and words for nothing else stand together: `32 Adeola Odeku`. */
  private isHouse(own: number, number: number): boolean {
    const { segments } = this.query
    if (number === 0 || (own & this.aroundMask) !== 0) return false
    const all = own | number
    // `Plot 32, Adeola Odeku`
    const isNext = highest(number) + 1 === lowest(own)
    return isNext || segments[lowest(all)] === segments[highest(all)]
  }

  /** Whether the name takes a word such as `road` from another street: `Jos Road, Bauchi` is not Bauchi Road in Jos. */
  private isTorn(own: number): boolean {
    const { query } = this
    for (let rest = own & query.streets; rest !== 0; rest &= rest - 1) {
      const at = lowest(rest)
      const before = at === 0 ? 0 : 1 << (at - 1)
      const isOther = before !== 0 && (before & (own | query.numerals | query.fillers | query.relation)) === 0
      if (isOther && query.segments[at - 1] === query.segments[at]) return true
    }
    return false
  }

  /** The cost of errors in the places of a name, but for words that the name explains as well. */
  private errorsAround(mask: number): number {
    const { contextMask, localityMask, placesMask } = this
    const ofLocality = (localityMask & ~mask) === 0 ? 0 : this.localityCost
    return ofLocality + ((contextMask & ~(mask | localityMask | placesMask)) === 0 ? 0 : this.contextCost)
  }

  /** Adds the costs of the words that a name does not cover. */
  private scoreReading(reading: Reading, covered: number, cost: number, of: NameFacts): void {
    const { after, all, landmark, relation, rest } = this.query
    const { left, unlisted } = this.wordCosts
    this.landmarkMask = 0
    if (reading === "landmark") {
      // Of several landmarks, one may be listed.
      const others = this.otherLandmarks(after & ~covered)
      const over = after & ~covered & ~others
      const described = listedLandmark + sumOf(rest & ~after & ~covered, unlisted) + additionsCost(others)
      this.pushName(of, reading, covered, cost + described + sumOf(over, left), over)
      return
    }
    const side = reading === "ordinary" ? all : rest
    // `12 Allen Avenue, Ikeja, near 4 Berger Lane, Ojodu`
    const ofLandmark = reading === "ordinary" ? 0 : this.landmarkPlace(of, side & ~covered)
    const over = side & ~covered & ~ofLandmark
    const isPlacedBefore = reading === "beside" && this.isPlacedBeforeRelation()
    const ofHouse = isPlacedBefore && this.isElsewhere ? cost - elsewhere : cost
    if (isPlacedBefore && (this.query.last & ~ofLandmark) === 0) this.isElsewhere = false
    const stands = this.stands(over)
    const described = reading === "ordinary" ? 0 : this.describe(of, landmark & ~covered, stands)
    const elsewhereCost = stands && this.namesLocality(over) ? otherPlace : 0
    const additions = stands
      ? additionsCost(over & ~this.query.fillers) + sumOf(over & this.query.fillers, left) + elsewhereCost
      : 0
    const whole = covered | (reading === "ordinary" ? 0 : this.landmarkMask | relation | ofLandmark)
    const total = ofHouse + described + (stands ? additions : sumOf(over, left))
    if (stands) this.pushStanding(of, reading, whole, total, over)
    else this.pushName(of, reading, (whole & ~relation) | (covered & relation), total, over)
  }

  /** The words for the locality of a listed landmark, or for its LGA, if they are not those of the name. */
  private landmarkPlace({ lga, start }: NameFacts, some: number): number {
    const isPlacedBefore = this.isPlacedBeforeRelation()
    for (const landmark of this.landmarks) {
      if (landmark.start === start || landmark.cost >= exact) continue
      const isNear = landmark.lga === lga
      const mask = isNear ? landmark.placeMask : landmark.lgaMask
      const isPlace = mask !== 0 && (mask & ~some) === 0
      if (isPlace && (isNear ? this.isLocalityNamed : isPlacedBefore)) return mask
    }
    return 0
  }

  /** `7 Ogunlana Drive, Surulere, near 12 Allen Avenue, Ikeja`: the place after the landmark is that of the landmark. */
  private isPlacedBeforeRelation(): boolean {
    const { last, relation } = this.query
    const before = (relation & -relation) - 1
    const place = this.isLocalityNamed ? this.localityMask : this.lgaMask
    return relation !== 0 && (place & before) !== 0 && (last & before) === 0
  }

  /** Words of landmarks in parts of the text without a word of the name. */
  private otherLandmarks(some: number): number {
    const { core, query } = this
    if ((core & query.landmark) === 0) return 0
    let others = 0
    for (let rest = some & query.landmark; rest !== 0; rest &= rest - 1) {
      const at = lowest(rest)
      if (!hasCore(query, core, at)) others |= 1 << at
    }
    return others
  }

  /**
   * Whether the house matches in number, street and place, or the name in all of its words and its locality, and what the
   * text has beside it stands apart from it. Such words are additions: `12 Upper Allen Avenue` has none.
   */
  private stands(over: number): boolean {
    const { core, query } = this
    const others = over & ~query.fillers & ~query.relation
    this.hasOtherPlace = this.otherPlaces(others) !== 0 || this.isElsewhere
    if (!this.isComplete || (this.hasOtherPlace && !this.isDespite(others))) return false
    const first = lowest(core)
    const last = highest(core)
    // What stands before the LGA may be another locality; before the locality, the rest of a name.
    const isNamePart = (this.isPlain || this.isNamesake) && !this.isUnknown(others & ~(2 ** (last + 1) - 1))
    const isPlaced = this.isLocalityNamed || this.isNamesake
    const lastPlace = isPlaced ? (isNamePart ? highest(this.localityMask) : 0) : highest(this.placesMask)
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const at = lowest(rest)
      if (this.hasNumber && (this.wordCosts.placeWords & (1 << at)) !== 0) continue
      if (!this.hasNumber && at > last && (at < lastPlace || (query.numerals & (1 << at)) !== 0)) return false
      if (!hasCore(query, core, at)) continue
      if (!this.hasNumber || (at > first && at < last)) return false
      if ((query.numerals & (1 << at)) !== 0 && !this.isNumberOfOther(at, others)) return false
      // `Aladinma Housing Estate` may be Aladinma.
      const isOfLocality = isPlaced && this.localityMask !== 0 && at > highest(this.localityMask)
      if (at > last && !isOfLocality && isPart(query.words[at] as string)) return false
    }
    return true
  }

  /** Whether a number belongs to a word that says nothing of the house, `order 12`, or is too long for a part of a place: `Ikeja 4471`. */
  private isNumberOfOther(at: number, others: number): boolean {
    const { fillers, numerals, segments, words } = this.query
    let before = at - 1
    while (before >= 0 && ((fillers & (1 << before)) !== 0 || words[before]?.length === 1)) before--
    if (before < 0 || segments[before] !== segments[at]) return false
    if ((others & ~numerals & (1 << before)) !== 0) return !isPart(words[before] as string)
    return (
      ((this.localityMask | this.placesMask) & (1 << before)) !== 0 &&
      (words[at] as string).length > 2 &&
      at > highest(this.core)
    )
  }

  /** The words for another LGA or state; in `Isale Ijebu`, the last is part of a name that is not known. */
  private otherPlaces(others: number): number {
    const { placeWords } = this.wordCosts
    const { numerals, segments } = this.query
    let places = others & placeWords
    for (let rest = places; rest !== 0; rest &= rest - 1) {
      const at = lowest(rest)
      const before = at === 0 ? 0 : 1 << (at - 1)
      const isPart = (before & others & ~placeWords & ~numerals) !== 0 && segments[at - 1] === segments[at]
      if (isPart && this.hasNumber) places &= ~(1 << at)
    }
    return places
  }

  /** Whether words beside a house are a locality of the directory, or stand where a locality does: before the LGA. */
  private namesLocality(some: number): boolean {
    const { core, localityNames, query } = this
    const others = some & ~query.fillers & ~query.relation
    if (others === 0) return false
    if (localityNames.some((name) => (name & ~others) === 0)) return true
    const afterHouse = others & ~(2 ** (highest(core) + 1) - 1)
    return !this.isLocalityNamed && afterHouse !== 0 && lowest(afterHouse) < highest(this.placesMask)
  }

  /** Whether a house with its number, street and locality is kept although the text names another LGA: not another state. */
  private isDespite(others: number): boolean {
    const { localityMask, query } = this
    // In `48 Barracks Road, Chikun, Kaduna` the last word is the state.
    if (!this.hasNumber || !(this.isLocalityNamed || (this.isNamesake && !this.isStateTown))) return false
    // `New Ilu-Eri` is not Ilu-Eri.
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const at = lowest(rest)
      if (hasCore(query, localityMask, at) && !hasCore(query, this.core, at)) return false
    }
    const words = this.otherPlaces(others) | (this.isElsewhere ? query.last : 0)
    return this.mentions.every(
      (one) => one.lga >= 0 || one.state === this.state || !isCertain(one) || (one.mask & words) === 0
    )
  }

  /** Whether the directory does not have the first of the words: they are no part of a name. */
  private isUnknown(some: number): boolean {
    return some === 0 || (this.matches.rarities[lowest(some)] as number) >= unknownRarity
  }

  /** The cost of words as the landmark of a name: another name in its LGA, or something that is not listed. */
  private describe({ lga, start }: NameFacts, words: number, stands: boolean): number {
    let least = stands ? additionsCost(words) : sumOf(words, this.wordCosts.unlisted)
    for (const landmark of this.landmarks) {
      const isThere = landmark.lga === lga || (landmark.lgaMask !== 0 && this.isPlacedBeforeRelation())
      if (!isThere || landmark.start === start) continue
      const cost = listedLandmark + landmark.cost + sumOf(words & ~landmark.mask, this.wordCosts.left)
      if (cost >= least) continue
      least = cost
      this.landmarkMask = landmark.mask & words
    }
    return least
  }

  /** A house that stands, whatever else the text has: its unit, to be confirmed if that may matter. */
  private pushStanding(of: NameFacts, reading: Reading, covered: number, cost: number, over: number): void {
    const { query } = this
    const others = over & ~query.fillers & ~query.relation
    const isDoubtful = query.isCut || (others !== 0 && !this.areHarmless(others))
    const doubt = this.hasOtherPlace ? "place" : isDoubtful ? "additions" : "none"
    this.push({
      kind: "name",
      reading,
      cost,
      name: of.name,
      locality: of.locality,
      lga: of.lga,
      covered,
      start: of.start,
      end: of.end,
      depth: of.depth,
      doubt: of.doubt === "none" ? doubt : of.doubt
    })
  }

  /**
   * Words of people and things, in parts of the text before the house or after it: no numbers, and no words for places.
   */
  private areHarmless(others: number): boolean {
    const { core, localityNames, query } = this
    if (localityNames.some((name) => (name & ~others) === 0)) return false
    const isSure = this.hasNumber || (!this.isPlain && this.namedDepth === 1)
    const isPlaced = this.isLocalityNamed || this.isNamesake
    if (!isSure || !isPlaced || (others & query.numerals) !== 0) return false
    const last = highest(core)
    const lastPlace = this.isNamesake ? highest(this.localityMask) : 0
    const first = lowest(core)
    // `Tolu Bankole 12 Allen Avenue`
    const isNumberFirst = (query.numerals & (1 << first)) !== 0
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const at = lowest(rest)
      const word = query.words[at] as string
      if (at > last && at < lastPlace) return false
      if (isPart(word)) return false
      if (hasCore(query, core, at) && !(isNumberFirst && at < first)) return false
    }
    return true
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
    if (hasOtherName && (!this.isLocalityNamed || this.isOtherLga(of.lga))) depth = Math.min(depth, this.namedDepth)
    const despite = contradicted | (this.isElsewhere ? query.last : 0)
    if (despite !== 0)
      depth = Math.min(depth, depthDespite(query, this.mentions, despite, of.lga, Math.floor(of.lga / 100)))
    if (this.isTooLittle) depth = -1
    if (this.isGuess) depth = Math.min(depth, this.namedDepth)
    if (this.isGeneric) depth = Math.min(depth, this.isLocalityNamed ? 3 : 1)
    const { localityUnits } = this.index
    this.push({
      kind: "name",
      reading,
      isUnlisted: isSibling || despite !== 0,
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
      doubt: of.doubt,
      missingNumber: of.missingNumber
    })
  }

  /** Whether the locality is called as an LGA elsewhere, which the text may mean: `Salame School, Apa, Benue`. */
  private isOtherLga(lga: number): boolean {
    if (this.namedDepth > 0) return false
    return this.mentions.some(
      (one) => one.lga >= 0 && one.lga !== lga && one.cost === 0 && (one.mask & ~this.localityMask) === 0
    )
  }

  private scoreLocality(locality: number): void {
    const { candidates, index, query, reader } = this
    const lga = index.lgas[candidates.lgaOf(locality)] as number
    reader.read(index.localityTexts[locality] as number, query.all)
    const { found, mask: localityMask, rareMask } = reader
    if (localityMask === 0) return
    this.readPlaces(lga)
    const { dropped } = reader
    const localityCost = reader.cost + dropped
    reader.read(index.localityContexts[locality] as number, query.all)
    const contextCost = (reader.mask & ~(localityMask | this.placesMask)) === 0 ? 0 : reader.cost
    const far = this.isFarFrom(lga, localityMask, dropped) ? elsewhere : 0
    const ofStreet = this.isStreetName(localityMask) ? streetOfLocality : 0
    const cost = smallPlace + localityCost + contextCost + this.placesCost + far + ofStreet
    const covered = localityMask | reader.mask | this.placesMask
    const left = query.all & ~covered
    const of = {
      kind: "locality" as const,
      locality,
      lga,
      start: index.localityUnits[locality] as number,
      end: index.localityUnits[locality + 1] as number,
      covered,
      // The locality is called after a road, which leads through others.
      doubt: (localityMask & query.streets) === 0 ? ("none" as const) : ("additions" as const)
    }
    const rest = left & ~query.fillers
    // A locality alone never gives a unit, also if the directory has only one there.
    if (rest === 0) this.push({ ...of, cost: cost + sumOf(left, this.wordCosts.left), depth: 3 })
    else {
      const contradicted = rest & this.wordCosts.placeWords
      const isNamed = localityCost < inexact && rareMask !== 0 && this.isNamed(localityMask, found)
      let depth = isNamed ? 3 : this.namedDepth
      if (contradicted !== 0) {
        depth = Math.min(depth, depthDespite(query, this.mentions, contradicted, lga, Math.floor(lga / 100)))
      }
      const isLast =
        isNamed && dropped === 0 && query.last === localityMask && !endsElsewhere(query, this.mentions, -2, -2)
      // `Rumuokoro, by the flyover`
      const isBesideLandmark = isNamed && dropped === 0 && (query.rest & ~query.fillers & ~localityMask) === 0
      const unplaced = this.namedDepth >= 0 ? 0 : isBesideLandmark ? 0 : isLast ? lastLocality : unplacedLocality
      const doubt = (isNamed ? 0 : inexactLocality) + unplaced
      this.push({
        ...of,
        cost: cost + unlisted + doubt + sumOf(left, this.wordCosts.unlisted),
        depth,
        isUnlisted: true
      })
    }
  }

  /** What lies in the only state that a text names counts there at least. */
  private push(of: Parameters<typeof hypothesisOf>[0]): void {
    const hypothesis = hypothesisOf(of)
    const isPlaced = hypothesis.depth < 0 && hypothesis.state >= 0 && hypothesis.state === this.onlyState
    this.hypotheses.push(isPlaced ? { ...hypothesis, depth: 0 } : hypothesis)
  }
}

/** Whether a word makes another street or place of the one before it. */
const isPart = (word: string): boolean => isStreetWord(word) || streetParts.has(word)

/** In `2 Cocoa Way, Ogba Phase 2`, the first number is not that of the locality: another one stands after a word of it. */
const withoutOtherNumerals = ({ numerals, words }: Query, mask: number): number => {
  let kept = mask
  const after = mask & ((mask & ~numerals) << 1)
  for (let rest = mask & numerals & ~after; rest !== 0; rest &= rest - 1) {
    const at = lowest(rest)
    for (let others = after & numerals; others !== 0; others &= others - 1) {
      if (words[lowest(others)] === words[at]) kept &= ~(1 << at)
    }
  }
  return kept
}

/** Whether so many bits stand side by side. */
const hasRun = (mask: number, length: number): boolean => {
  let runs = mask
  for (let at = 1; at < length; at++) runs &= runs >>> 1
  return runs !== 0
}

/** `Sokoto State` is not Sokoto North. */
const costOf = (mention: PlaceMention | undefined, otherwise: number): number =>
  mention === undefined ? otherwise : mention.isOtherKind ? Math.min(mention.cost, otherwise) : mention.cost

/** Whether a mention of an LGA consists of words for its state only: the LGA is a town called the same. */
const isSameTown = (lga: PlaceMention, state: PlaceMention): boolean =>
  isCertain(lga) && !lga.isOtherKind && lga.mask !== 0 && (lga.mask & ~state.mask) === 0

/** Whether LGA and state are named by the same words, each by its own: `Gombe, Gombe State`. */
const isCalledSame = (
  lga: PlaceMention | undefined,
  state: PlaceMention | undefined,
  { fillers, words }: Query
): boolean => {
  if (lga === undefined || state === undefined) return false
  const own = lga.mask & ~state.mask & ~fillers
  const first = words[lowest(own)]
  return own !== 0 && first === words[lowest(state.mask & ~fillers)]
}

/** The state in which all places lie that are named without an error; −1 if there are several, or none. */
const onlyStateOf = (mentions: ReadonlyArray<PlaceMention>): number => {
  let only = -1
  for (const mention of mentions) {
    if (!isCertain(mention) || mention.state === only) continue
    if (only >= 0) return -1
    only = mention.state
  }
  return only
}

const isNamed = (mention: PlaceMention | undefined): boolean => mention !== undefined && isCertain(mention)
