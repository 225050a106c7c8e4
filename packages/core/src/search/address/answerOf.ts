/** The answer of a search from the shares of its codes. */
import type { Directory } from "../../directory/Directory.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import type { AddressAnswer, AddressCandidate, AddressPrecision, Understood } from "./AddressAnswer.ts"
import { codeText, deepest, prefixOf, type Share } from "./Evidence.ts"
import type { Hypothesis } from "./Hypothesis.ts"
import { labelOf, lgaName, nameLabel, stateName, textAt } from "./Labels.ts"
import { messageOf } from "./messageOf.ts"
import type { PlaceMention } from "./PlaceMentions.ts"
import type { Query } from "./QueryText.ts"

export interface Found {
  readonly directory: Directory
  readonly index: AddressIndex | undefined
  readonly query: Query
  readonly mentions: ReadonlyArray<PlaceMention>
  readonly hypotheses: ReadonlyArray<Hypothesis>
  readonly shares: ReadonlyArray<Share>
  readonly limit: number
  readonly finest: "lga" | "unit"
}

export const precisions: ReadonlyArray<AddressPrecision> = ["state", "lga", "district", "area", "unit"]

const highProbability = 0.985

export const answerOf = (found: Found): AddressAnswer => {
  const { directory, finest, hypotheses, index, query, shares } = found
  const answer = deepest(shares)
  // The likeliest meaning within the answer.
  const best =
    shares.find(
      ({ code, depth }) => answer !== undefined && depth >= answer.depth && prefixOf(code, answer.depth) === answer.code
    )?.hypothesis ?? [...hypotheses].sort((a, b) => a.cost - b.cost)[0]
  const depth = answer?.depth ?? -1
  const understood = understand(found, best, depth)
  const confidence = answer === undefined ? "low" : answer.probability >= highProbability ? "high" : "medium"
  const isFinest = depth === (finest === "lga" ? 1 : 4)
  const action =
    isFinest && confidence === "high" ? "accept" : depth >= 2 || (isFinest && depth >= 0) ? "confirm" : "ask"
  const candidates = candidatesOf(found)
  return {
    code: answer === undefined ? null : codeText(answer.code, depth),
    precision: answer === undefined ? null : (precisions[depth] as AddressPrecision),
    confidence,
    action,
    label:
      answer === undefined || best === undefined
        ? null
        : labelOf(directory, index, best, depth, depth === 4 ? unitAt(found, best, answer.code) : -1),
    understood,
    candidates,
    message: messageOf({ query, best, understood, depth, candidates, finest })
  }
}

/** The position in `AddressIndex.units` of a hypothesis's unit with a code, or −1. */
const unitAt = ({ directory, index }: Found, { end, start }: Hypothesis, code: number): number => {
  if (index === undefined) return -1
  for (let at = start; at < end && at < start + 1024; at++) {
    if (directory.layers[0].codeOf(index.units[at] as number) === code) return at
  }
  return -1
}

const understand = (
  { directory, index, mentions, query }: Found,
  best: Hypothesis | undefined,
  depth: number
): Understood => {
  const left = query.all & ~(best?.covered ?? 0) & ~query.fillers & ~query.relation
  const unmatched = new Set<string>()
  for (let at = 0; at < query.words.length; at++) {
    if ((left & (1 << at)) !== 0) unmatched.add(query.raw[query.origins[at] as number] as string)
  }
  const isNamed = (lga: number, state: number) => mentions.some((one) => one.lga === lga && one.state === state)
  const lga = best?.lga ?? -1
  const state = best?.state ?? -1
  const knowsName = best !== undefined && best.name >= 0 && (!best.isUnlisted || best.missingNumber)
  return {
    name: index !== undefined && knowsName ? nameLabel(index, best, -1) : null,
    locality:
      index !== undefined && best !== undefined && best.locality >= 0 && depth >= 1
        ? textAt(index, index.localityTexts[best.locality] as number) || null
        : null,
    lga: (depth >= 1 || isNamed(lga, state) ? lgaName(directory, lga) : undefined) ?? null,
    state: (depth >= 0 || isNamed(-1, state) ? stateName(directory, state) : undefined) ?? null,
    relation: best !== undefined && (best.covered & query.relation) === 0 ? query.relationText : null,
    unmatched: [...unmatched]
  }
}

/** A hypothesis that leaves words over names something like its unit: the unit is still worth showing. */
const siblingFactor = 0.5

const candidatesOf = ({ directory, index, limit, shares }: Found): ReadonlyArray<AddressCandidate> => {
  const byCode = new Map<string, { readonly share: Share; readonly depth: number; probability: number }>()
  for (const share of shares) {
    const { code, hypothesis, probability } = share
    if (share.depth < 0 && hypothesis.kind !== "name") continue
    const isName = hypothesis.kind === "name" && hypothesis.reading !== "landmark" && !hypothesis.missingNumber
    const depth = isName ? 4 : Math.max(0, share.depth)
    const key = codeText(code, depth)
    const factor = isName && share.depth < 4 ? siblingFactor : 1
    const known = byCode.get(key)
    if (known === undefined) byCode.set(key, { share, depth, probability: factor * probability })
    else known.probability += factor * probability
  }
  return [...byCode]
    .sort(([, a], [, b]) => b.probability - a.probability)
    .slice(0, limit)
    .map(([code, { depth, probability, share }]) => ({
      code,
      precision: precisions[depth] as AddressPrecision,
      label: labelOf(directory, index, share.hypothesis, depth, depth === 4 ? unitAtCode(directory, index, share) : -1),
      probability: Math.round(1000 * probability) / 1000
    }))
}

const unitAtCode = (directory: Directory, index: AddressIndex | undefined, { code, hypothesis }: Share): number =>
  unitAt({ directory, index } as Found, hypothesis, code)
