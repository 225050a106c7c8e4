/** What an answer tells people: what was found, what was not, and what to add. */

import type { Hypothesis } from "../Hypothesis.ts"
import type { Query } from "../query/QueryText.ts"
import type { Understood } from "./AddressAnswer.ts"

/** Why only states and LGAs were searched: the rights of the caller, or a directory without addresses. */
export type Limit = "caller" | "directory"

export interface MessageFacts {
  readonly query: Query
  readonly best: Hypothesis | undefined
  readonly understood: Understood
  /** The house or the name that was found: `12 Allen Avenue`. */
  readonly found: string | null
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
  noSuchNumber: (street: string, where: string) => `${street} has no such number${where}`,
  noSuchFlat: (house: string, flat: string, where: string) => `${house} has no ${flat}${where}`,
  otherNumber: (house: string, where: string) => `${house} was found${where}; the number in the text differs`,
  besides: (house: string, words: string, where: string) => `${house} was found${where}; "${words}" was not`,
  landmark: (name: string, relation: string, where: string) =>
    `${name} was found${where}; the place is ${relation} it: add a name or a house number`,
  noLandmark: (words: string, where: string) =>
    `the landmark "${words}" was not found${where}: add a name or a house number`,
  notFound: (words: string, where: string) => `"${words}" was not found${where}`,
  unit: (where: string) => `one unit has this name${where}`,
  street: (name: string, where: string) => `${name} is a street${where}: add a house number`,
  severalOfName: (where: string) => `several units have this name${where}: add a house number or the locality`,
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
  const words = understood.unmatched.join(" ")
  if (best.missingNumber && depth >= 0) {
    const missing = missingNumberMessage(facts, where)
    if (missing !== undefined) return missing
  }
  if (depth < 0) return words === "" ? messages.several : `"${words}" was not found; ${messages.several}`
  if (depth === 4) return unitMessage(facts, best, where)
  if (understood.relation !== null && best.reading !== "beside") return landmarkMessage(facts, best, where)
  if (words !== "") return messages.notFound(words, where)
  return partMessage(facts, best, where)
}

/** Undefined if more than the number was not found: the street may be another one. */
const missingNumberMessage = ({ found, query, understood }: MessageFacts, where: string): string | undefined => {
  const { name, subpremise, unmatched } = understood
  if (name === null || !unmatched.every((word) => /^\d/.test(word) || word.length === 1)) return undefined
  if (unmatched.length > 0 || query.flat === 0) return messages.noSuchNumber(name, where)
  return messages.noSuchFlat(found ?? name, subpremise ?? "such flat", where)
}

const unitMessage = ({ found, understood }: MessageFacts, { doubt }: Hypothesis, where: string): string => {
  const words = understood.unmatched.join(" ")
  if (found === null) return words === "" ? messages.unit(where) : messages.notFound(words, where)
  if (doubt === "number") return messages.otherNumber(found, where)
  return words === "" ? messages.unit(where) : messages.besides(found, words, where)
}

const landmarkMessage = ({ understood }: MessageFacts, best: Hypothesis, where: string): string => {
  const { name, relation, unmatched } = understood
  if (best.kind === "name" && best.reading === "landmark" && name !== null) {
    return messages.landmark(name, relation as string, where)
  }
  return messages.noLandmark(unmatched.join(" "), where)
}

/** About a part of the country, of which the text is the whole name. */
const partMessage = ({ depth, query, understood }: MessageFacts, best: Hypothesis, where: string): string => {
  if (best.kind === "state") return messages.state
  if (best.kind === "lga" && depth === 0) return messages.town
  if (best.kind === "lga") return messages.lga
  if (best.kind === "locality") return messages.locality(understood.locality ?? "this")
  const { name } = understood
  const isStreet = name !== null && (best.covered & query.streets) !== 0 && (best.covered & query.numerals) === 0
  return isStreet ? messages.street(name, where) : messages.severalOfName(where)
}

/** Says what was found, and that the rest was not searched for: it may exist. */
const limitedMessage = ({ best, depth, understood }: MessageFacts, limited: Limit): string => {
  const { lga, relation, state, unmatched } = understood
  const rest = `${unmatched.length > 0 ? `"${unmatched.join(" ")}"` : "a street or a place"} was not searched for: ${searchedWith[limited]}`
  if (best === undefined || best.kind === "nothing") return `no state or local government area was found; ${rest}`
  const isWhole = unmatched.length === 0 && relation === null
  if (depth < 0) return isWhole ? messages.several : `${messages.several}; ${rest}`
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
