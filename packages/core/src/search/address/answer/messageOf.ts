/** What an answer tells people: what was found, what was not, and what to add. */

import type { Hypothesis } from "../Hypothesis.ts"
import type { Query } from "../query/QueryText.ts"
import type { AddressCandidate, Understood } from "./AddressAnswer.ts"

export interface MessageFacts {
  readonly query: Query
  readonly best: Hypothesis | undefined
  readonly understood: Understood
  /** Of the answer; −1 without. */
  readonly depth: number
  readonly candidates: ReadonlyArray<AddressCandidate>
  readonly finest: "lga" | "unit"
}

export const messageOf = (facts: MessageFacts): string => {
  const { best, depth, finest, query, understood } = facts
  if (query.words.length === 0) return "no words: write a street, a place or a local government area"
  if (best === undefined || best.kind === "nothing") {
    return "no place was found: add the local government area and the state"
  }
  const where = placeText(understood)
  if (best.missingNumber) return `${understood.name ?? "the street"} has no such number${where}`
  const missing = understood.unmatched.length > 0 ? `"${understood.unmatched.join(" ")}" was not found` : ""
  if (depth < 0)
    return [missing, "several places match: add the local government area or the state"].filter(Boolean).join("; ")
  if (understood.relation !== null && best.reading === "landmark") {
    return `${understood.name ?? "the landmark"} was found${where}; the place is ${understood.relation} it: add a name or a house number`
  }
  if (missing !== "") return `${missing}${where}`
  if (depth === 4)
    return understood.name === null ? `one unit is known as ${understood.locality}` : `one unit has this name${where}`
  if (finest === "lga") return depth === 1 ? "one local government area has this name" : "add the local government area"
  if (best.kind === "state") return "a whole state: add the local government area, and a street or a place"
  if (best.kind === "lga") return "a whole local government area: add a street or a place"
  if (best.kind === "locality") return `several units${where}: add a street with a house number, or a name`
  return `several units have this name${where}: add a house number or the locality`
}

const placeText = ({ lga, locality, state }: Understood): string => {
  const place = locality ?? lga ?? state
  return place === null ? "" : ` in ${place}`
}
