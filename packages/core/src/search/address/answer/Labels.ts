/** What people read about a code: `Aba North PHC, Eziama, Aba North, Abia`. */

import { decoder } from "../../../directory/csv/TextCoding.ts"
import type { Directory } from "../../../directory/Directory.ts"
import type { AddressIndex } from "../../../directory/text/AddressIndex.ts"
import { segmentText } from "../../../postcode/SegmentValue.ts"
import type { Hypothesis } from "../Hypothesis.ts"

export const textAt = (index: AddressIndex, text: number): string =>
  decoder.decode(index.textBytes.slice(index.textStarts[text], index.textStarts[text + 1]))

/** The name of an LGA, of state and LGA in one number. */
export const lgaName = (directory: Directory, lga: number): string | undefined =>
  lga < 0 ? undefined : directory.names.lgas[Math.floor(lga / 100)]?.[lga % 100]?.place.name

export const stateName = (directory: Directory, state: number): string | undefined =>
  state < 0 ? undefined : directory.names.states[state]?.place.name

/** The name of a street or place, with the house number of a unit. */
export const nameLabel = (index: AddressIndex, hypothesis: Hypothesis, at: number): string => {
  const name = textAt(index, index.nameTexts[hypothesis.name] as number)
  const number = at < 0 ? 0 : (index.numbers[at] ?? 0)
  if (number === 0) return name
  const flat = number & 1023
  const letter = (number >>> 10) & 31
  const house = `${number >>> 15}${letter === 0 ? "" : String.fromCharCode(64 + letter)} ${name}`
  return flat === 0 ? house : `Flat ${flat}, ${house}`
}

/**
 * The label of what a hypothesis means at a depth.
 *
 * @param unit index in `AddressIndex.units`, or −1
 */
export const labelOf = (
  directory: Directory,
  index: AddressIndex | undefined,
  hypothesis: Hypothesis,
  depth: number,
  unit: number
): string => {
  const { kind, lga, locality, state } = hypothesis
  const parts: Array<string | undefined> = []
  if (index !== undefined && depth === 4 && kind === "name") parts.push(nameLabel(index, hypothesis, unit))
  if (index !== undefined && depth >= 2 && locality >= 0)
    parts.push(textAt(index, index.localityTexts[locality] as number))
  if (depth >= 1) parts.push(lgaName(directory, lga))
  parts.push(stateName(directory, state))
  // `Ikeja, Lagos`, although Ikeja is both the locality and the LGA.
  const known = parts.filter((part, at) => part !== undefined && part !== "" && part !== parts[at - 1])
  if (known.length > 0) return known.join(", ")
  const stateCode = segmentText(0, Math.max(0, state))
  return lga < 0 || depth < 1 ? stateCode : `${stateCode}-${segmentText(1, lga % 100)}`
}
