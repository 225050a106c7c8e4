/**
 * Spreads the probability of hypotheses over codes, and finds the deepest code that holds nearly all of it.
 */

import { packSegments, unpack } from "../../directory/codes/PackedCode.ts"
import type { Directory } from "../../directory/Directory.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"
import type { Hypothesis } from "./Hypothesis.ts"

/** A share of the probability, on one code. */
export interface Share {
  /** A packed code of which only the segments up to `depth` count. */
  readonly code: number
  /** 4 unit, 3 area, 2 district, 1 LGA, 0 state. */
  readonly depth: number
  readonly probability: number
  readonly hypothesis: Hypothesis
}

/** The units of a locality are so many that a part of them stands for all. */
const maxUnits = 64
const negligible = 1e-4
/** The answer holds at least this much. */
const required = 0.95

/** What each hypothesis adds to each code, the likeliest hypothesis first. They sum up to less than 1. */
export const sharesOf = (
  directory: Directory,
  index: AddressIndex | undefined,
  hypotheses: ReadonlyArray<Hypothesis>
): ReadonlyArray<Share> => {
  const spread = hypotheses
    .map((hypothesis) => ({ hypothesis, codes: codesOf(directory, index, hypothesis) }))
    .filter(({ codes, hypothesis }) => codes.length > 0 || hypothesis.kind === "nothing")
    .sort((a, b) => a.hypothesis.cost - b.hypothesis.cost)
  const least = spread[0]?.hypothesis.cost ?? 0
  const weights = spread.map(({ hypothesis }) => Math.exp(least - hypothesis.cost))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const shares: Array<Share> = []
  for (const [at, { codes, hypothesis }] of spread.entries()) {
    const probability = (weights[at] as number) / total
    if (probability < negligible) break
    const depth = depthOf(hypothesis, codes.length)
    for (const code of codes) shares.push({ code, depth, probability: probability / codes.length, hypothesis })
  }
  return shares
}

/** The deepest prefix that holds the required share; undefined if not even a state does. */
export const deepest = (
  shares: ReadonlyArray<Share>
): { readonly code: number; readonly depth: number; readonly probability: number } | undefined => {
  for (let depth = 4; depth >= 0; depth--) {
    const divisor = divisors[depth] as number
    const sums = new Map<number, number>()
    for (const share of shares) {
      if (share.depth < depth) continue
      const prefix = Math.floor(share.code / divisor)
      const sum = (sums.get(prefix) ?? 0) + share.probability
      sums.set(prefix, sum)
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

const depthOf = ({ depth, kind }: Hypothesis, codes: number): number =>
  kind === "locality" && codes > 1 ? Math.min(depth, 3) : depth

/** The packed codes that a hypothesis may mean, none if all its units are retired. */
const codesOf = (
  directory: Directory,
  index: AddressIndex | undefined,
  hypothesis: Hypothesis
): ReadonlyArray<number> => {
  const { end, kind, lga, start, state } = hypothesis
  if (kind === "nothing") return []
  if (kind === "state") return [packSegments(state, 0, 0, 0, 0)]
  if (kind === "lga" || index === undefined) return [packSegments(state, lga % 100, 0, 0, 0)]
  const codes: Array<number> = []
  const step = Math.max(1, (end - start) / maxUnits)
  for (let at = start; at < end; at += step) {
    const code = directory.layers[0].codeOf(index.units[Math.floor(at)] as number)
    if (directory.status(unpack(code)) === "active") codes.push(code)
  }
  return codes
}
