/** What is known of a code alone: the names of its state and LGA. */
import type { Directory } from "../../../directory/Directory.ts"
import type { AddressAnswer, Understood } from "./AddressAnswer.ts"

/** The label `Ikeja, Lagos`, or the code if nothing has a name, and the names. */
export const partsOf = (
  directory: Directory,
  code: string
): { readonly label: string; readonly understood: Understood } => {
  const nameOf = (part: string): string | null => directory.places.find((place) => place.code === part)?.name ?? null
  const state = nameOf(code.slice(0, 2))
  const lga = code.length < 5 ? null : nameOf(code.slice(0, 5))
  const label = [lga, state].filter((name) => name !== null).join(", ") || code
  return { label, understood: { ...nothingUnderstood, lga, state } }
}

const nothingUnderstood: Understood = {
  name: null,
  locality: null,
  lga: null,
  state: null,
  relation: null,
  subpremise: null,
  ignored: [],
  unmatched: []
}

/** The answer to a text that leads to no code. */
export const noAnswer: AddressAnswer = {
  code: null,
  precision: null,
  confidence: "low",
  action: "ask",
  label: null,
  understood: nothingUnderstood,
  candidates: [],
  message: ""
}
