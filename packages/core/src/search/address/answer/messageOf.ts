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
  /** Of the answer; −1 without. */
  readonly depth: number
  readonly limited: Limit | undefined
}

export const messageOf = (facts: MessageFacts): string => {
  const { best, depth, limited, query, understood } = facts
  if (query.words.length === 0) return "no words: write a street, a place or a local government area"
  if (limited !== undefined) return limitedMessage(facts, limited)
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
  if (best.kind === "state") return "a whole state: add the local government area, and a street or a place"
  if (best.kind === "lga") return "a whole local government area: add a street or a place"
  if (best.kind === "locality") return `several units${where}: add a street with a house number, or a name`
  return `several units have this name${where}: add a house number or the locality`
}

/** Says what was found, and that the rest was not searched for: it may exist. */
const limitedMessage = ({ best, depth, understood }: MessageFacts, limited: Limit): string => {
  const { lga, relation, state, unmatched } = understood
  const rest = `${unmatched.length > 0 ? `"${unmatched.join(" ")}"` : "a street or a place"} was not searched for: ${searchedWith[limited]}`
  if (best === undefined || best.kind === "nothing") return `no state or local government area was found; ${rest}`
  const isWhole = unmatched.length === 0 && relation === null
  if (depth < 0) {
    const several = "several places match: add the local government area or the state"
    return isWhole ? several : `${several}; ${rest}`
  }
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
