/**
 * Answers as JSON, faster than `JSON.stringify` writes them and in the same text. There are few of these: it is hard to
 * beat but where the parts of an answer are the same ones every time, or so few that to look at what they are takes
 * longest.
 */
import type { Completion, Suggestion } from "@postcode/core/Autocomplete"

export const writeCompletion = ({ segment, suggestions }: Completion): string => {
  let list = ""
  for (const suggestion of suggestions) list += (list === "" ? "" : ",") + writeSuggestion(suggestion)
  return `{"segment":"${segment}","suggestions":[${list}]}`
}

/** What level 1 says: a postcode needs no escapes. */
export const writeValidity = ({ postcode, valid }: { readonly postcode: string; readonly valid: boolean }): string =>
  `{"postcode":"${postcode}","valid":${valid}}`

/** Core makes each suggestion once, so there are as many of these as there are codes of segments. */
const writtenSuggestions = new WeakMap<Suggestion, string>()

const writeSuggestion = (suggestion: Suggestion): string => {
  const known = writtenSuggestions.get(suggestion)
  if (known !== undefined) return known
  const written = JSON.stringify(suggestion)
  writtenSuggestions.set(suggestion, written)
  return written
}
