/** What an answer tells people: what was found, what was not, and what to add. */

import { wordsOf } from "../../../directory/text/Words.ts"
import { isStreetText } from "../Additions.ts"
import type { Hypothesis } from "../Hypothesis.ts"
import { isMisspelled } from "../query/isMisspelled.ts"
import type { Query } from "../query/QueryText.ts"
import { isStreetWord } from "../query/StreetWords.ts"
import type { AddressCandidate, Understood } from "./AddressAnswer.ts"

/** Why only states and LGAs were searched: the rights of the caller, or a directory without addresses. */
export type Limit = "caller" | "directory"

export interface MessageFacts {
  readonly query: Query
  readonly best: Hypothesis | undefined
  readonly understood: Understood
  /** Words of the text that name other places, which the directory has. */
  readonly otherPlaces: string
  /** Words of the text that name nothing. */
  readonly missing: string
  /** Those of them that stand for a landmark, and the others. */
  readonly missingLandmark: string
  readonly missingBeside: string
  /** Words that no candidate has all of, as they are written; none if one has. */
  readonly unnamed: string
  /** The likeliest candidate. */
  readonly first: AddressCandidate | undefined
  /** Number of units that are about as likely. */
  readonly rivals: number
  /** States and LGAs that are about as likely, each named by its own words. */
  readonly rivalPlaces: ReadonlyArray<string>
  /** The house or the name that was found: `12 Allen Avenue`. */
  readonly found: string | null
  /** The name of the locality that was found. */
  readonly locality: string | null
  /** Of the answer; −1 without. */
  readonly depth: number
  readonly limited: Limit | undefined
}

/**
 * All messages about a text that was searched without a limit. Each is told only if it is true: a number is missing only
 * if it was compared with those of the street, and a landmark was found only if the directory has it.
 */
export const messages = {
  nothing: "this says that there is no address",
  noWords: "no words: write a street, a place or a local government area",
  onlyAside: (text: string) => `"${text}" is no address: write a street, a place or a local government area`,
  noPlace: "no place was found: add the local government area and the state",
  several: "several places match: add the local government area or the state",
  severalIn: (state: string) => `several places in ${state} match: add the local government area`,
  similar: (words: string, add: string) =>
    `no place is called "${words}", but several nearly so: check the spelling, or add ${add}`,
  contradiction: (places: string) => `the text names ${places}: check which of them is meant`,
  choose: (where: string) => `several units match${where}: choose one of them, or add the locality`,
  confirmOne: (label: string) => `did you mean ${label}?`,
  otherPlace: (house: string, places: string) => `${house}; the text says "${places}", too: check which is meant`,
  differ: (where: string, places: string) =>
    `${where} and "${places}" are different places: check which of them is meant`,
  nowhere: (house: string, where: string) =>
    `${house} was found${where}; the text names no place: check that it is meant`,
  otherStreet: (house: string, where: string) =>
    `${house} was found${where}; the text does not say whether it is a road, a street or another: check that it is meant`,
  offStreet: (words: string, name: string, where: string) => `"${words}" was not found; ${name} is${where}`,
  noSuchNumber: (street: string, where: string) => `${street} has no such number${where}`,
  noSuchFlat: (house: string, flat: string, where: string) => `${house} has no ${flat}${where}`,
  otherSpelling: (house: string, where: string) =>
    `${house} was found${where}; the text writes it otherwise: check that it is meant`,
  otherNumber: (house: string, where: string) => `${house} was found${where}; the number in the text differs`,
  besides: (house: string, words: string, where: string) => `${house} was found${where}; "${words}" was not`,
  landmark: (name: string, relation: string, where: string) =>
    `${name} was found${where}; the place is ${relation} it: add a name or a house number`,
  noLandmark: (words: string, where: string) =>
    `the landmark "${words}" was not found${where}: add a name or a house number`,
  noHouseOrLandmark: (words: string, landmark: string, where: string) =>
    `neither "${words}" nor the landmark "${landmark}" was found${where}`,
  noName: (relation: string, where: string) =>
    `the place is ${relation} something${where}: add a name or a house number`,
  notFound: (words: string, where: string) => `"${words}" was not found${where}`,
  unit: (where: string) => `one unit has this name${where}`,
  street: (name: string, where: string) => `${name} is a street${where}: add a house number`,
  likeStreet: (name: string, where: string) => `did you mean the street ${name}${where}? If so, add a house number`,
  severalOfName: (where: string) => `several units have this name${where}: choose one of them, or add the locality`,
  severalOfLocality: (where: string) => `several units have this name${where}: choose one of them`,
  locality: (name: string) => `${name} is a whole locality: add a street with a house number, or a name`,
  town: "several local government areas have this name: add which one is meant",
  lga: "a whole local government area: add a street or a place",
  state: "a whole state: add the local government area, and a street or a place"
} as const

export const messageOf = (facts: MessageFacts): string => {
  const { best, depth, limited, query, understood } = facts
  if (query.words.length === 0) {
    const aside = [understood.subpremise, ...understood.ignored.map(({ text }) => text)].filter((text) => text !== null)
    return aside.length === 0 ? messages.noWords : messages.onlyAside(aside.join(", "))
  }
  if (limited !== undefined) return limitedMessage(facts, limited)
  if (best === undefined || best.kind === "nothing") return messages.noPlace
  const where = placeText(understood)
  if (best.missingNumber && depth >= 0) {
    const missing = missingNumberMessage(facts, where)
    if (missing !== undefined) return missing
  }
  if (depth === 4) return unitMessage(facts, best, where)
  if (depth < 0) return undecidedMessage(facts)
  return coarseMessage(facts, best, where)
}

/** A candidate at least so likely is worth asking for. */
const mostlyThis = 0.6

/** No code holds enough of the evidence. */
const undecidedMessage = (facts: MessageFacts): string => {
  const { best, first, missing, otherPlaces, query, rivalPlaces, rivals, understood } = facts
  const several = understood.state === null ? messages.several : messages.severalIn(understood.state)
  const isPlace = first !== undefined && first.precision !== "unit" && first.probability >= mostlyThis
  const isOne = isPlace || (rivals === 1 && isProposal(query, first))
  const of =
    isOne && first !== undefined && otherPlaces !== ""
      ? messages.otherPlace(`this may be ${first.label}`, otherPlaces)
      : undefined
  const places = rivalPlaces.length > 1 ? messages.contradiction(rivalPlaces.join(" and ")) : undefined
  if (of === undefined && best?.kind === "name" && missing === "" && facts.unnamed !== "") {
    const area = "the local government area"
    return messages.similar(facts.unnamed, understood.state === null ? `${area} or the state` : area)
  }
  const next = of ?? places ?? (isOne && first !== undefined ? messages.confirmOne(first.label) : several)
  return missing === "" ? next : `"${missing}" was not found; ${next}`
}

const coarseMessage = (facts: MessageFacts, best: Hypothesis, where: string): string => {
  const { depth, first, missing, otherPlaces, query, rivals, understood } = facts
  const isUnit = first?.precision === "unit" && rivals > 0 && isProposal(query, first)
  if (isUnit && otherPlaces !== "") return messages.otherPlace(`this may be ${first.label}`, otherPlaces)
  if (understood.relation !== null && best.reading !== "beside") return landmarkMessage(facts, best, where)
  // Another number is no suggestion.
  const isOtherNumber = (query.numerals & unmatchedMask(facts, best)) !== 0
  const suggestion = isUnit && !isOtherNumber ? messages.confirmOne(first.label) : undefined
  const name = understood.name
  const street = name !== null && isStreetOnly(facts, best, name) ? streetMessage(facts, name, where) : undefined
  const choice = street ?? (rivals > 1 ? messages.choose(where) : suggestion)
  if (missing !== "") return `${messages.notFound(missing, where)}${choice === undefined ? "" : `; ${choice}`}`
  // `Aguda, Ojodu, Lagos`: both lie in Lagos.
  const isFiner = best.kind === "locality" && depth < 2 && first !== undefined
  if (otherPlaces !== "") return messages.differ(isFiner ? first.label : where.slice(" in ".length), otherPlaces)
  return partMessage(facts, best, where)
}

/** Undefined if more than the number was not found: the street may be another one. */
const missingNumberMessage = ({ found, query, understood }: MessageFacts, where: string): string | undefined => {
  const { name, subpremise, unmatched } = understood
  if (name === null || !unmatched.every((word) => /^\d/.test(word) || word.length === 1)) return undefined
  if (unmatched.length > 0 || query.flat === 0) return messages.noSuchNumber(name, where)
  return messages.noSuchFlat(found ?? name, subpremise ?? "such flat", where)
}

const unitMessage = (facts: MessageFacts, { doubt }: Hypothesis, where: string): string => {
  const { found, missing, otherPlaces } = facts
  if (found === null) return missing === "" ? messages.unit(where) : messages.notFound(missing, where)
  if (doubt === "number") return messages.otherNumber(found, where)
  if (otherPlaces !== "") return messages.otherPlace(`${found} is${where}`, otherPlaces)
  if (missing !== "") return messages.besides(found, missing, where)
  if (doubt === "nowhere") return messages.nowhere(found, where)
  if (doubt === "spelling") return messages.otherSpelling(found, where)
  return doubt === "street" ? messages.otherStreet(found, where) : messages.unit(where)
}

const landmarkMessage = (facts: MessageFacts, best: Hypothesis, where: string): string => {
  const { missing, missingBeside, missingLandmark, query, understood } = facts
  const { name, relation } = understood
  if (best.kind === "name" && best.reading === "landmark" && name !== null) {
    const hasHouse = missing !== "" && (query.numerals & ~best.covered) !== 0
    return hasHouse ? messages.offStreet(missing, name, where) : messages.landmark(name, relation as string, where)
  }
  if (missing === "") return messages.noName(relation as string, where)
  if (missingLandmark === "") return messages.notFound(missing, where)
  return missingBeside === ""
    ? messages.noLandmark(missingLandmark, where)
    : messages.noHouseOrLandmark(missingBeside, missingLandmark, where)
}

/** About a part of the country, of which the text is the whole name. */
const partMessage = (facts: MessageFacts, best: Hypothesis, where: string): string => {
  const { depth, first, locality, rivals, understood } = facts
  if (best.kind === "state") return messages.state
  if (best.kind === "lga" && depth === 0) return messages.town
  if (best.kind === "lga") return messages.lga
  if (best.kind === "locality") return messages.locality(locality ?? "this")
  const { name } = understood
  if (name !== null && isStreetOnly(facts, best, name)) return streetMessage(facts, name, where)
  if (rivals === 1 && isProposal(facts.query, first)) return messages.confirmOne(first.label)
  return understood.locality === null ? messages.severalOfName(where) : messages.severalOfLocality(where)
}

/** Whether the text has a street by its name, and no number. */
const isStreetOnly = ({ query }: MessageFacts, best: Hypothesis, name: string): boolean => {
  if (!isStreetText(name) || (best.covered & query.numerals) !== 0) return false
  return wordsOf(name).some((word) => !isStreetWord(word) && query.words.some((written) => isMisspelled(written, word)))
}

/** `Government House` may be another thing than Government House Road. */
const streetMessage = ({ query }: MessageFacts, name: string, where: string): string =>
  query.streets === 0 ? messages.likeStreet(name, where) : messages.street(name, where)

/** Whether a unit may be proposed: a house only if the text has its number. */
const isProposal = ({ words }: Query, first: AddressCandidate | undefined): first is AddressCandidate => {
  if (first?.precision !== "unit") return false
  const number = /^\d+/.exec(first.label)?.[0]
  return number === undefined || words.some((word) => /^\d+/.exec(word)?.[0] === number)
}

const unmatchedMask = ({ query }: MessageFacts, { covered }: Hypothesis): number =>
  query.all & ~covered & ~query.fillers & ~query.relation

/** Says what was found, and that the rest was not searched for: it may exist. */
const limitedMessage = ({ best, depth, missing, rivalPlaces, understood }: MessageFacts, limited: Limit): string => {
  const { lga, relation, state, unmatched } = understood
  const rest = `${missing !== "" ? `"${missing}"` : "a street or a place"} was not searched for: ${searchedWith[limited]}`
  if (best === undefined || best.kind === "nothing") return `no state or local government area was found; ${rest}`
  const isWhole = unmatched.length === 0 && relation === null
  const several = rivalPlaces.length > 1 ? messages.contradiction(rivalPlaces.join(" and ")) : messages.several
  if (depth < 0) return missing === "" && relation === null ? several : `${several}; ${rest}`
  if (!isWhole) return `${lga ?? state} was found; ${rest}`
  return depth === 1 ? "one local government area has this name" : "add the local government area"
}

const searchedWith: Record<Limit, string> = {
  caller: 'that takes a key of level 2 or higher with the scope "search"',
  directory: "this directory has no addresses"
}

const placeText = ({ lga, locality, state }: Understood): string => {
  const place = locality ?? lga ?? state
  return place === null ? "" : ` in ${place}`
}
