/**
 * Spreads the probability of hypotheses over codes, and finds the deepest code that holds nearly all of it.
 */

import { packSegments, unpack } from "../../directory/codes/PackedCode.ts"
import type { Directory } from "../../directory/Directory.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"
import type { Hypothesis } from "./Hypothesis.ts"

/** A hypothesis with its share of the probability. */
export interface Weighed {
  readonly hypothesis: Hypothesis
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
export const weigh = (
  directory: Directory,
  index: AddressIndex | undefined,
  hypotheses: ReadonlyArray<Hypothesis>
): ReadonlyArray<Weighed> => {
  const sorted = [...hypotheses].sort((a, b) => a.cost - b.cost)
  const found: Array<Omit<Weighed, "probability">> = []
  const weights: Array<number> = []
  let total = 0
  for (const hypothesis of sorted) {
    const weight = Math.exp((found[0]?.hypothesis.cost ?? hypothesis.cost) - hypothesis.cost)
    if (weight < negligible) break
    const placed = place(directory, index, hypothesis)
    if (placed === undefined) continue
    found.push(placed)
    weights.push(weight)
    total += weight
  }
  return found.map((one, at) => ({ ...one, probability: (weights[at] as number) / total }))
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

/** Where a hypothesis is; undefined if all its units are retired. */
const place = (
  directory: Directory,
  index: AddressIndex | undefined,
  hypothesis: Hypothesis
): Omit<Weighed, "probability"> | undefined => {
  const { depth, end, kind, lga, spreadEnd, spreadStart, start, state } = hypothesis
  if (kind === "nothing") return { hypothesis, codes: [], units: [], depth: -1 }
  if (kind === "state" || kind === "lga" || index === undefined) {
    return { hypothesis, codes: [packSegments(state, kind === "state" ? 0 : lga % 100, 0, 0, 0)], units: [], depth }
  }
  const units = activeUnits(directory, index, start, end)
  if (units.length === 0) return undefined
  const isSame = spreadStart === start && spreadEnd === end
  const codes = isSame ? units : activeUnits(directory, index, spreadStart, spreadEnd)
  if (kind === "name") return { hypothesis, codes, units, depth }
  return { hypothesis, codes, units: [], depth: units.length > 1 ? Math.min(depth, 3) : depth }
}

const activeUnits = (directory: Directory, index: AddressIndex, start: number, end: number): ReadonlyArray<number> => {
  const codes: Array<number> = []
  const step = Math.max(1, (end - start) / maxUnits)
  for (let at = start; at < end; at += step) {
    const code = directory.layers[0].codeOf(index.units[Math.floor(at)] as number)
    if (directory.status(unpack(code)) === "active") codes.push(code)
  }
  return codes
}
