/** Scores the states and LGAs that a text names, as a whole and as the place of something that is not listed. */
import type { Hypothesis } from "./Hypothesis.ts"
import type { PlaceMention } from "./query/PlaceMentions.ts"
import type { Query } from "./query/QueryText.ts"

/** A state or an LGA is meant more often than a place that is called the same. */
export const smallPlace = 4
export const unlisted = 2.8
export const unmentionedState = 0.6
const unlistedInLga = 1
const unlistedInState = 2
const nowhere = 3
/** For each word that a listed place leaves over, beside the word's rarity. */
const leftOver = 3.5
const contradictedPlace = 8
/** The text ends with another place. */
export const elsewhere = 6
const fillerLeft = 0.5
export const unknownRarity = 12
/** A street that is not listed is often named after a town. */
const streetName = 2
const misspelled = 5

/** What it costs to leave words over. */
export interface WordCosts {
  /** By word: if a listed place leaves it over. */
  readonly left: Float64Array
  /** By word: if an unlisted place is called so. */
  readonly unlisted: Float64Array
  /** The words that name a state or LGA without doubt. */
  readonly placeWords: number
}

export const wordCostsOf = (
  query: Query,
  mentions: ReadonlyArray<PlaceMention>,
  rarities: ArrayLike<number>
): WordCosts => {
  const placeWords = placeWordsOf(mentions)
  const streetNames = streetNamesOf(mentions) | query.streets
  const costs: WordCosts = {
    left: new Float64Array(query.words.length),
    unlisted: new Float64Array(query.words.length),
    placeWords
  }
  for (let at = 0; at < query.words.length; at++) {
    const bit = 1 << at
    const rarity = rarities[at] ?? unknownRarity
    const isFiller = (query.fillers & bit) !== 0
    const isPlace = (placeWords & bit) !== 0
    const cost = isPlace ? contradictedPlace : rarity
    costs.left[at] = isFiller ? fillerLeft : cost + leftOver
    const asUnlisted = (streetNames & bit) === 0 ? cost : Math.min(cost, streetName)
    costs.unlisted[at] = isFiller || (query.relation & bit) !== 0 ? fillerLeft : asUnlisted
  }
  return costs
}

/** Whether a state or LGA is named without an error, and not as the name of a street. */
export const isCertain = ({ cost, isStreet, townCost }: PlaceMention): boolean => cost - townCost < 1 && !isStreet

/** The words that name a state or LGA without doubt. */
export const placeWordsOf = (mentions: ReadonlyArray<PlaceMention>): number => {
  let words = 0
  for (const mention of mentions) if (isCertain(mention)) words |= mention.mask
  return words
}

/** The words that name a state or LGA before a word for a street. */
const streetNamesOf = (mentions: ReadonlyArray<PlaceMention>): number => {
  let words = 0
  for (const { isStreet, mask } of mentions) if (isStreet) words |= mask
  return words
}

/**
 * How deep a place counts although the text names another LGA or state: only what both lie in is certain. If the text ends
 * with the LGA and its state, an LGA of another state before them is a place in it: `Onicha, Ezinihitte LGA, Imo State`.
 *
 * @param lga -1 for a state
 */
export const depthDespite = (
  query: Query,
  mentions: ReadonlyArray<PlaceMention>,
  words: number,
  lga: number,
  state: number
): number => {
  const others = mentions.filter((mention) => isCertain(mention) && (mention.mask & words) !== 0)
  if (others.every((mention) => mention.state === state)) return 0
  const isBefore = others.every((mention) => mention.lga >= 0 && mention.state !== state)
  return isBefore && lga >= 0 && endsWith(query, mentions, lga, state) ? 1 : -1
}

/** Whether a text ends with an LGA and its state. */
const endsWith = (
  { all, fillers }: Query,
  mentions: ReadonlyArray<PlaceMention>,
  lga: number,
  state: number
): boolean => {
  const ofLga = mentions.find((mention) => mention.lga === lga && isCertain(mention))
  const ofState = mentions.find((mention) => mention.lga < 0 && mention.state === state && isCertain(mention))
  if (ofLga === undefined || ofState === undefined || (ofState.mask & ~ofLga.mask & ~fillers) === 0) return false
  const before = (ofLga.mask & -ofLga.mask) - 1
  return (all & ~(ofLga.mask | ofState.mask | fillers | before)) === 0
}

/**
 * Whether the text ends with another place: what stands after the last comma names an LGA or a state without an error, but
 * not this one.
 */
export const endsElsewhere = (
  query: Query,
  mentions: ReadonlyArray<PlaceMention>,
  lga: number,
  state: number
): boolean => {
  if (query.last === 0) return false
  let isPlace = false
  for (const mention of mentions) {
    if (!isCertain(mention) || (query.last & ~mention.mask) !== 0) continue
    if (mention.state === state && (mention.lga < 0 || mention.lga === lga)) return false
    isPlace = true
  }
  return isPlace
}

/** The sum of the costs of some words. */
export const sumOf = (mask: number, costs: Float64Array): number => {
  let sum = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) sum += costs[31 - Math.clz32(rest & -rest)] as number
  return sum
}

/** All places of a text, and "none of these". */
export const scorePlaces = (
  query: Query,
  mentions: ReadonlyArray<PlaceMention>,
  costs: WordCosts
): ReadonlyArray<Hypothesis> => [
  ...mentions.map((mention) => scoreMention(query, mentions, costs, mention)),
  hypothesisOf({
    kind: "nothing",
    covered: 0,
    cost: smallPlace + unlisted + nowhere + sumOf(query.all, costs.unlisted),
    isUnlisted: true
  })
]

const scoreMention = (
  query: Query,
  mentions: ReadonlyArray<PlaceMention>,
  costs: WordCosts,
  mention: PlaceMention
): Hypothesis => {
  const { lga, place, state } = mention
  let covered = mention.mask
  let cost = mention.cost
  if (lga >= 0) {
    const states = mentions.filter((one) => one.lga < 0 && !one.isStreet)
    // `Oyo West, Oyo`: the last word is the town, or the state.
    const own = mention.mask & ~mention.townMask
    const named = own === 0 ? covered : own
    const stateMention = states.find((one) => one.state === state && (one.mask & ~named) !== 0)
    cost += stateMention?.cost ?? unmentionedState
    // A state is meant rather than the LGA that is called the same.
    const hasNamesake = states.some((one) => one.cost === 0 && (one.mask & ~named) === 0)
    if (stateMention === undefined && hasNamesake && !mention.isKindWritten) cost += smallPlace
    covered |= stateMention?.mask ?? 0
  }
  const left = query.all & ~covered
  const of = {
    kind: lga < 0 ? ("state" as const) : ("lga" as const),
    lga,
    state,
    place,
    covered,
    depth: lga < 0 ? 0 : 1
  }
  if ((left & ~query.fillers) === 0) return hypothesisOf({ ...of, cost: cost + sumOf(left, costs.left) })
  const further = lga < 0 ? unlistedInState : unlistedInLga
  const ofRest = smallPlace + unlisted + further + sumOf(left, costs.unlisted)
  // A misspelled name and words of something else: it may be another place altogether.
  const isDoubtful = cost >= misspelled && (left & ~query.fillers) !== 0
  const contradicted = left & costs.placeWords & ~query.fillers
  const despite =
    contradicted === 0 ? of.depth : Math.min(of.depth, depthDespite(query, mentions, contradicted, lga, state))
  const depth = isDoubtful ? -1 : despite
  return hypothesisOf({ ...of, cost: cost + ofRest, depth, isUnlisted: true })
}

/** Each field by its name, since spreading objects would take a third of the time of a search. */
export const hypothesisOf = (of: Partial<Hypothesis> & Pick<Hypothesis, "cost" | "covered" | "kind">): Hypothesis => {
  const lga = of.lga ?? -1
  const start = of.start ?? 0
  const end = of.end ?? 0
  return {
    kind: of.kind,
    reading: of.reading ?? "ordinary",
    isUnlisted: of.isUnlisted ?? false,
    cost: of.cost,
    name: of.name ?? -1,
    locality: of.locality ?? -1,
    lga,
    state: of.state ?? (lga < 0 ? -1 : Math.floor(lga / 100)),
    covered: of.covered,
    start,
    end,
    spreadStart: of.spreadStart ?? start,
    spreadEnd: of.spreadEnd ?? end,
    depth: of.depth ?? -1,
    missingNumber: of.missingNumber ?? false,
    doubt: of.doubt ?? "none",
    place: of.place
  }
}
