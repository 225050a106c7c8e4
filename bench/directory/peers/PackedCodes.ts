/** The naive store of millions of postcodes: sorted numbers of 8 bytes and binary search. */
import { type Directory, pack, packSegments, unpack } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"

/** The packed codes of all units, in order. */
export const packedCodesOf = (directory: Directory): Float64Array => {
  const codes = new Float64Array(directory.size)
  for (let id = 0; id < codes.length; id++) codes[id] = pack(directory.postcodeAt(id))
  return codes
}

/** The packed codes of the active units, in order. */
export const activePackedCodesOf = (directory: Directory): Float64Array =>
  packedCodesOf(directory).filter((_, id) => directory.isActive(id))

export const hasPackedCode = (codes: Float64Array, postcode: Postcode): boolean => {
  const code = pack(postcode)
  return codes[lowerBound(codes, 0, code)] === code
}

/** Completes a prefix with at most `limit` segments: repeats a binary search for the next code with another segment. */
export const completeByBinarySearch = (codes: Float64Array, q: string, limit: number): ReadonlyArray<string> => {
  const typed = q.replaceAll("-", "").toUpperCase()
  const depth = segments.findIndex(({ end }) => typed.length < end)
  const segment = segments[depth]
  if (segment === undefined) return []
  const end = lowerBound(codes, 0, packFilled(typed, "Z", "9") + 1)
  const found: Array<string> = []
  for (let at = lowerBound(codes, 0, packFilled(typed, "A", "0")); at < end && found.length < limit; ) {
    const code = codes[at] as number
    found.push(unpack(code).slice(segment.from, segment.to))
    at = lowerBound(codes, at + 1, (Math.floor(code / segment.span) + 1) * segment.span)
  }
  return found
}

/** The end of a segment without and with separators, and the number of codes that share it. */
const segments = [
  { end: 2, from: 0, to: 2, span: packSegments(1, 0, 0, 0, 0) },
  { end: 4, from: 3, to: 5, span: packSegments(0, 1, 0, 0, 0) },
  { end: 7, from: 6, to: 9, span: packSegments(0, 0, 1, 0, 0) },
  { end: 9, from: 10, to: 12, span: packSegments(0, 0, 0, 1, 0) },
  { end: 11, from: 13, to: 15, span: packSegments(0, 0, 0, 0, 1) }
] as const

/** The smallest or the largest code with a prefix. */
const packFilled = (typed: string, letter: "A" | "Z", digit: "0" | "9"): number => {
  const either = letter === "A" ? digit : letter
  const model = letter + letter + digit + digit + either + either + either + letter + letter + digit + digit
  const whole = typed + model.slice(typed.length)
  const [state, lga, district, area, unit] = segments.map(({ end, from, to }) => whole.slice(end - (to - from), end))
  return pack(`${state}-${lga}-${district}-${area}-${unit}` as Postcode)
}

const lowerBound = (codes: Float64Array, from: number, code: number): number => {
  let low = from
  let high = codes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((codes[middle] as number) < code) low = middle + 1
    else high = middle
  }
  return low
}
