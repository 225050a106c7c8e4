/** The answer to a text that is a postcode, contains one, or is nearly one. */
import type { Directory } from "../../../directory/Directory.ts"
import { type PartialPostcode, type Postcode, parse, parsePartial } from "../../../postcode/Postcode.ts"
import { corrections } from "../../Corrections.ts"
import type { AddressAnswer, AddressCandidate, Understood } from "./AddressAnswer.ts"

/** A postcode between other words. */
const postcodePattern =
  /(?<![\p{L}\p{N}])[a-z]{2}[\s\p{Pd}]?\d{2}[\s\p{Pd}]?[a-z0-9]{3}[\s\p{Pd}]?[a-z]{2}[\s\p{Pd}]?\d{2}(?![\p{L}\p{N}])/iu

/** Undefined if the text has nothing like a postcode. */
export const answerPostcode = (
  directory: Directory,
  text: string,
  limit: number,
  finest: "lga" | "unit"
): AddressAnswer | undefined => {
  const written = postcodePattern.exec(text)?.[0] ?? text
  const parsed = parse(written)
  if (parsed.ok) return answerWhole(directory, parsed.postcode, limit, finest)
  const partial = parsePartial(text)
  if (partial.ok && !/^[a-z]{2}$/i.test(text.trim())) return answerPrefix(directory, partial.partial, finest)
  if (finest === "lga" || !/\d/.test(text)) return undefined
  const meant = corrections(directory, text, limit)
  return meant.length === 0 ? undefined : didYouMean(directory, text.trim(), meant)
}

const answerWhole = (
  directory: Directory,
  postcode: Postcode,
  limit: number,
  finest: "lga" | "unit"
): AddressAnswer | undefined => {
  if (finest === "lga") return answerPrefix(directory, postcode, finest)
  const status = directory.status(postcode)
  if (status === "unknown") return didYouMean(directory, postcode, corrections(directory, postcode, limit))
  if (status === "retired") {
    const successor = directory.replacedBy(postcode)
    const replaced = successor === undefined ? "" : ` and replaced by ${successor}`
    return { ...nothing, message: `${postcode} is retired${replaced}` }
  }
  const candidate = candidateOf(directory, postcode, 1)
  return {
    code: postcode,
    precision: "unit",
    confidence: "high",
    action: "accept",
    label: candidate.label,
    understood: understoodOf(directory, postcode),
    candidates: [candidate],
    message: "this is the postcode of an active unit"
  }
}

/** Where nothing finer than an LGA may be answered, only its part of a postcode is searched. */
const answerPrefix = (
  directory: Directory,
  code: PartialPostcode | Postcode,
  finest: "lga" | "unit"
): AddressAnswer => {
  if (finest === "unit") return answerPartial(directory, code as PartialPostcode)
  const answer = answerPartial(directory, code.slice(0, lgaLength) as PartialPostcode)
  const isCut = answer.code !== null && code.length > lgaLength
  return { ...answer, ...(isCut && { message: onlyLgaSearched }), limited_to: "lga" }
}

/** The length of `LA-11`. */
const lgaLength = 5

const onlyLgaSearched =
  "only the local government area of this postcode was searched: lookup answers at level 1, without a key, whether the unit exists"

const answerPartial = (directory: Directory, partial: PartialPostcode): AddressAnswer => {
  const [state = "", lga, district, area] = partial.split("-")
  const siblings =
    area !== undefined
      ? directory.areas(state, lga as string, district as string)
      : district !== undefined
        ? directory.districts(state, lga as string)
        : lga !== undefined
          ? directory.lgas(state)
          : directory.states()
  const last = area ?? district ?? lga ?? state
  if (siblings?.some(({ code }) => code === last) !== true) {
    return { ...nothing, message: `no active unit has a postcode that starts with ${partial}` }
  }
  const precision =
    area !== undefined ? "area" : district !== undefined ? "district" : lga !== undefined ? "lga" : "state"
  const understood = understoodOf(directory, partial)
  const label = labelOf(understood, partial)
  return {
    code: partial,
    precision,
    confidence: "high",
    action: "ask",
    label,
    understood,
    candidates: [{ code: partial, precision, label, probability: 1 }],
    message: "this is the start of postcodes: add the rest"
  }
}

const didYouMean = (directory: Directory, text: string, meant: ReadonlyArray<Postcode>): AddressAnswer => ({
  ...nothing,
  action: meant.length === 0 ? "ask" : "confirm",
  candidates: meant.map((postcode) => candidateOf(directory, postcode, Math.round(900 / meant.length) / 1000)),
  message:
    meant.length === 0
      ? `no unit has the postcode ${text}`
      : `no unit has the postcode ${text}; did you mean ${meant[0]}?`
})

const candidateOf = (directory: Directory, postcode: Postcode, probability: number): AddressCandidate => ({
  code: postcode,
  precision: "unit",
  label: labelOf(understoodOf(directory, postcode), postcode),
  probability
})

const labelOf = ({ lga, state }: Understood, code: string): string =>
  [lga, state].filter((name) => name !== null).join(", ") || code

const understoodOf = (directory: Directory, code: string): Understood => {
  const state = directory.places.find((place) => place.code === code.slice(0, 2))?.name ?? null
  const lga = code.length < 5 ? null : (directory.places.find((place) => place.code === code.slice(0, 5))?.name ?? null)
  return { name: null, locality: null, lga, state, relation: null, subpremise: null, ignored: [], unmatched: [] }
}

const nothing: AddressAnswer = {
  code: null,
  precision: null,
  confidence: "low",
  action: "ask",
  label: null,
  understood: {
    name: null,
    locality: null,
    lga: null,
    state: null,
    relation: null,
    subpremise: null,
    ignored: [],
    unmatched: []
  },
  candidates: [],
  message: ""
}
