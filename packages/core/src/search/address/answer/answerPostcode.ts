/** The answer to a text that is a postcode, contains one, or is nearly one. */
import type { Directory } from "../../../directory/Directory.ts"
import { type PartialPostcode, type Postcode, parse, parsePartial, postcodeInText } from "../../../postcode/Postcode.ts"
import { corrections } from "../../Corrections.ts"
import type { AddressAnswer, AddressCandidate, AddressPrecision } from "./AddressAnswer.ts"
import { noAnswer, partsOf } from "./partsOf.ts"

/** A postcode between other words, with the country's code before it or without. */
const postcodePattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:ng[\\s\\p{Pd}])?${postcodeInText}(?![\\p{L}\\p{N}])`, "iu")

/** The postcode in a text, and the text without it. */
export interface PostcodeInText {
  readonly postcode: Postcode
  readonly rest: string
}

/** Undefined if the text has no well-formed postcode. */
export const postcodeIn = (text: string): PostcodeInText | undefined => {
  const found = postcodePattern.exec(text)
  if (found === null) return undefined
  const parsed = parse(found.slice(1).join("-"))
  if (!parsed.ok) return undefined
  const rest = `${text.slice(0, found.index)},${text.slice(found.index + found[0].length)}`
  return { postcode: parsed.postcode, rest }
}

/** The answer to a text that is nothing but the start of a postcode, or nearly a postcode; undefined if it is neither. */
export const answerNearly = (
  directory: Directory,
  text: string,
  limit: number,
  finest: "lga" | "unit"
): AddressAnswer | undefined => {
  const partial = parsePartial(text)
  if (partial.ok && !/^[a-z]{2}$/i.test(text.trim())) return answerPrefix(directory, partial.partial, finest)
  if (finest === "lga" || !/\d/.test(text)) return undefined
  const meant = corrections(directory, text, limit)
  return meant.length === 0 ? undefined : didYouMean(directory, text.trim(), meant)
}

/**
 * The answer to a postcode and to the address beside it. If both are known and differ, both are candidates: nobody can tell
 * which is right.
 *
 * @param address undefined if nothing but the postcode is in the text
 */
export const answerBoth = (
  directory: Directory,
  postcode: Postcode,
  address: AddressAnswer | undefined,
  limit: number,
  finest: "lga" | "unit"
): AddressAnswer => {
  const ofCode = answerWhole(directory, postcode, limit, finest)
  if (address === undefined) return ofCode
  const { ignored, subpremise } = address.understood
  const ofPostcode = { ...ofCode, understood: { ...ofCode.understood, ignored, subpremise } }
  const known = ofPostcode.code
  const meant = address.candidates.filter(({ code, probability }) => code === address.code || probability >= likely)
  if (known === null) {
    if (address.precision !== "unit") return ofPostcode
    return { ...address, action: "confirm", message: `${ofPostcode.message}; the address is that of ${address.code}` }
  }
  const isSame = (code: string): boolean => known.startsWith(code) || code.startsWith(known)
  if (address.code !== null ? isSame(address.code) : meant.length === 0 || meant.some(({ code }) => isSame(code))) {
    return ofPostcode
  }
  return {
    ...ofPostcode,
    code: null,
    precision: null,
    confidence: "low",
    action: "confirm",
    label: null,
    candidates: [...(address.code === null ? meant : [ofAddress(address)]), ...ofPostcode.candidates]
      .map((candidate, _, all) => ({ ...candidate, probability: Math.round(1000 / all.length) / 1000 }))
      .slice(0, limit),
    message: `the postcode and the address differ: ${known} is in ${ofPostcode.label}, the address is ${address.label ?? meant[0]?.label}`
  }
}

/** A candidate at least so likely is what an address may mean. */
const likely = 0.3

const ofAddress = ({ code, label, precision }: AddressAnswer): AddressCandidate => ({
  code: code as string,
  precision: precision as AddressPrecision,
  label: label ?? "",
  probability: 1
})

const answerWhole = (
  directory: Directory,
  postcode: Postcode,
  limit: number,
  finest: "lga" | "unit"
): AddressAnswer => {
  if (finest === "lga") return answerPrefix(directory, postcode, finest)
  const status = directory.status(postcode)
  if (status === "unknown") return didYouMean(directory, postcode, corrections(directory, postcode, limit))
  if (status === "retired") {
    const successor = directory.replacedBy(postcode)
    const replaced = successor === undefined ? "" : ` and replaced by ${successor}`
    return { ...noAnswer, message: `${postcode} is retired${replaced}` }
  }
  const candidate = candidateOf(directory, postcode, 1)
  return {
    code: postcode,
    precision: "unit",
    confidence: "high",
    action: "accept",
    label: candidate.label,
    understood: partsOf(directory, postcode).understood,
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
    return { ...noAnswer, message: `no active unit has a postcode that starts with ${partial}` }
  }
  const precision =
    area !== undefined ? "area" : district !== undefined ? "district" : lga !== undefined ? "lga" : "state"
  const { label, understood } = partsOf(directory, partial)
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
  ...noAnswer,
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
  label: partsOf(directory, postcode).label,
  probability
})
