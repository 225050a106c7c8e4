/**
 * Spreads the probability of hypotheses over codes, and finds the deepest code that holds nearly all of it.
 */

import { packSegments, unpack } from "../../directory/codes/PackedCode.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"
import type { AddressSource } from "./AddressSource.ts"
import { textAt } from "./answer/Labels.ts"
import type { Hypothesis } from "./Hypothesis.ts"

/** A hypothesis, and the index that its numbers belong to; undefined if there is none. */
export interface Sourced {
  readonly hypothesis: Hypothesis
  readonly source: AddressSource | undefined
}

/** A hypothesis with its share of the probability. */
export interface Weighed extends Sourced {
  readonly probability: number
  /** Packed codes over which the share spreads evenly; only the segments up to `depth` count. */
  readonly codes: ReadonlyArray<number>
  /** 4 unit, 3 area, 2 district, 1 LGA, 0 state, −1 nowhere. */
  readonly depth: number
  /** The packed codes of the units that it names. */
  readonly units: ReadonlyArray<number>
}

/** The units of a locality are so many that a part of them stands for all. */
const maxUnits = 64
const negligible = 1e-4
/** The answer holds at least this much. */
const required = 0.95

/** The hypotheses with a probability, the likeliest first. */
export const weigh = (hypotheses: ReadonlyArray<Sourced>): ReadonlyArray<Weighed> => {
  const sorted = [...hypotheses].sort((a, b) => a.hypothesis.cost - b.hypothesis.cost)
  const found: Array<Omit<Weighed, "probability">> = []
  const weights: Array<number> = []
  for (const one of sorted) {
    const { cost } = one.hypothesis
    const weight = Math.exp((found[0]?.hypothesis.cost ?? cost) - cost)
    if (weight < negligible) break
    const placed = place(one)
    if (placed === undefined) continue
    found.push(placed)
    weights.push(weight)
  }
  shareBetweenSources(found, weights)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return found.map((one, at) => ({ ...one, probability: (weights[at] as number) / total }))
}

/** A street with units in two indexes is one street: what it weighs is spread over all its units. */
const shareBetweenSources = (found: ReadonlyArray<Sourced>, weights: Array<number>): void => {
  for (let at = 1; at < found.length; at++) {
    const one = found[at] as Sourced
    const twin = found.findIndex((other, before) => before < at && isSameMeaning(one, other))
    if (twin < 0) continue
    const weight = weights[twin] as number
    const share = spreadOf(one) / (spreadOf(one) + spreadOf(found[twin] as Sourced))
    weights[at] = share * weight
    weights[twin] = (1 - share) * weight
  }
}

const spreadOf = ({ hypothesis: { spreadEnd, spreadStart } }: Sourced): number => spreadEnd - spreadStart

const isSameMeaning = (a: Sourced, b: Sourced): boolean => {
  if (a.source === b.source || a.source === undefined || b.source === undefined) return false
  const { covered, kind, lga, reading } = a.hypothesis
  const other = b.hypothesis
  const isSame = kind === other.kind && reading === other.reading && lga === other.lga && covered === other.covered
  return isSame && textsOf(a.hypothesis, a.source) === textsOf(other, b.source)
}

const textsOf = ({ locality, name }: Hypothesis, { index }: AddressSource): string => {
  const text = (of: Uint32Array, at: number) => (at < 0 ? "" : textAt(index, of[at] as number))
  return `${text(index.nameTexts, name)}\n${text(index.localityTexts, locality)}`
}

/** The deepest prefix that holds the required share; undefined if not even a state does. */
export const deepest = (
  weighed: ReadonlyArray<Weighed>
): { readonly code: number; readonly depth: number; readonly probability: number } | undefined => {
  for (let depth = 4; depth >= 0; depth--) {
    const divisor = divisors[depth] as number
    const sums = new Map<number, number>()
    for (const { codes, depth: finest, probability } of weighed) {
      if (finest < depth) continue
      for (const code of codes) {
        const prefix = Math.floor(code / divisor)
        sums.set(prefix, (sums.get(prefix) ?? 0) + probability / codes.length)
      }
    }
    for (const [prefix, probability] of sums) {
      if (probability >= required) return { code: prefix * divisor, depth, probability }
    }
  }
  return undefined
}

/** The text of the first segments of a packed code. */
export const codeText = (code: number, depth: number): string => unpack(code).slice(0, codeLengths[depth])

/** A code without the segments below a depth. */
export const prefixOf = (code: number, depth: number): number => {
  const divisor = divisors[depth] as number
  return Math.floor(code / divisor) * divisor
}

const codeLengths = [2, 5, 9, 12, 15]

/** Number of units below a code of each depth. */
const divisors = [
  segmentValues.lga * segmentValues.district * segmentValues.area * segmentValues.unit,
  segmentValues.district * segmentValues.area * segmentValues.unit,
  segmentValues.area * segmentValues.unit,
  segmentValues.unit,
  1
]

/** Where a hypothesis is; undefined if all its units are retired, or have another address now. */
const place = (one: Sourced): Omit<Weighed, "probability"> | undefined => {
  const { hypothesis, source } = one
  const { depth, end, kind, lga, spreadEnd, spreadStart, start, state } = hypothesis
  if (kind === "nothing") return { ...one, codes: [], units: [], depth: -1 }
  if (kind === "state" || kind === "lga" || source === undefined) {
    return { ...one, codes: [packSegments(state, kind === "state" ? 0 : lga % 100, 0, 0, 0)], units: [], depth }
  }
  const units = activeUnits(source, start, end)
  if (units.length === 0) return undefined
  const isSame = spreadStart === start && spreadEnd === end
  const codes = isSame ? units : activeUnits(source, spreadStart, spreadEnd)
  if (kind === "name") return { ...one, codes, units, depth }
  return { ...one, codes, units: [], depth: units.length > 1 ? Math.min(depth, 3) : depth }
}

const activeUnits = ({ codeAt }: AddressSource, start: number, end: number): ReadonlyArray<number> => {
  const codes: Array<number> = []
  const step = Math.max(1, (end - start) / maxUnits)
  for (let at = start; at < end; at += step) {
    const code = codeAt(Math.floor(at))
    if (code >= 0) codes.push(code)
  }
  return codes
}
