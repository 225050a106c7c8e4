/** The answer of a search from the shares of its codes. */
import type { Directory } from "../../../directory/Directory.ts"
import { errorsBetween } from "../../../directory/text/errorsBetween.ts"
import { wordsOf } from "../../../directory/text/Words.ts"
import { codeText, deepest, prefixOf, type Sourced, type Weighed } from "../Evidence.ts"
import type { Hypothesis, HypothesisKind } from "../Hypothesis.ts"
import type { PlaceMention } from "../query/PlaceMentions.ts"
import type { Query } from "../query/QueryText.ts"
import type { WithoutSurroundings } from "../surroundings/setAside.ts"
import type { AddressAnswer, AddressCandidate, AddressPrecision, Understood } from "./AddressAnswer.ts"
import { labelOf, lgaName, nameLabel, stateName, textAt } from "./Labels.ts"
import { type Limit, type MessageFacts, messageOf } from "./messageOf.ts"

export interface Found {
  readonly directory: Directory
  readonly query: Query
  readonly mentions: ReadonlyArray<PlaceMention>
  /** The words that name localities of the directory. */
  readonly localityWords: number
  readonly weighed: ReadonlyArray<Weighed>
  readonly limit: number
  readonly limited: Limit | undefined
  readonly aside: WithoutSurroundings
}

const precisions: ReadonlyArray<AddressPrecision> = ["state", "lga", "district", "area", "unit"]

const highProbability = 0.985

export const answerOf = (found: Found): AddressAnswer => {
  const { directory, limited, query, weighed } = found
  const answer = deepest(weighed)
  const isWithin = (code: number) => answer !== undefined && prefixOf(code, answer.depth) === answer.code
  // The likeliest meaning within the answer.
  const within = weighed.find(({ codes, depth }) => depth >= (answer?.depth ?? 0) && codes.some(isWithin))
  const best = within ?? weighed[0]
  const depth = answer?.depth ?? -1
  const understood = understand(found, best, depth)
  const isCertain = (answer?.probability ?? 0) >= highProbability && best?.hypothesis.doubt === "none"
  const confidence = answer === undefined ? "low" : isCertain ? "high" : "medium"
  const isFinest = depth === (limited === "caller" ? 1 : 4)
  // A text of which a part was not searched for is not accepted.
  const isWhole = limited === undefined || (understood.unmatched.length === 0 && understood.relation === null)
  const action = isFinest && isWhole && confidence === "high" ? "accept" : depth >= 2 || isFinest ? "confirm" : "ask"
  const candidates = candidatesOf(found)
  return {
    code: answer === undefined ? null : codeText(answer.code, depth),
    precision: answer === undefined ? null : (precisions[depth] as AddressPrecision),
    confidence,
    action,
    label:
      answer === undefined || best === undefined
        ? null
        : labelWithin(directory, best, depth, codeText(answer.code, depth)),
    understood,
    candidates,
    message: messageOf({
      query,
      best: best?.hypothesis,
      understood,
      ...unmatchedParts(found, best, depth),
      found: houseLabel(best, answer),
      unnamed: unnamedWords(found, candidates),
      first: candidates[0],
      rivals: candidates.filter(({ precision, probability }) => precision === "unit" && probability >= rival).length,
      rivalPlaces: rivalPlaces(found),
      locality: localityLabel(best),
      depth,
      limited
    }),
    ...(limited !== undefined && { limited_to: "lga" as const })
  }
}

/** A candidate at least so likely may be meant. */
const rival = 0.2

/** The states and LGAs that are about as likely, if each is named by other words than the likeliest. */
const rivalPlaces = ({ directory, weighed }: Found): ReadonlyArray<string> => {
  const likely = weighed.flatMap(({ hypothesis, probability }) =>
    probability >= rival && (hypothesis.kind === "lga" || hypothesis.kind === "state") ? [hypothesis] : []
  )
  const [first, ...others] = likely
  if (first === undefined) return []
  const rivals = others.filter(({ covered }) => (covered & ~first.covered) !== 0 && (first.covered & ~covered) !== 0)
  const all = [first, ...rivals]
  const names = all.map(({ kind, lga, state }) =>
    kind === "lga" ? lgaName(directory, lga) : stateName(directory, state)
  )
  return all.flatMap(({ kind, state }, at) => {
    const name = names[at]
    const isShared = kind === "lga" && names.indexOf(name) !== names.lastIndexOf(name)
    return name === undefined ? [] : [isShared ? `${name} in ${stateName(directory, state) ?? ""}` : name]
  })
}

/** What the text has beside the answer: names of other places, and words that were not found at all. */
const unmatchedParts = (
  found: Found,
  of: Sourced | undefined,
  depth: number
): Pick<MessageFacts, "otherPlaces" | "missing" | "missingBeside" | "missingLandmark"> => {
  const { localityWords, mentions, query } = found
  const best = of?.hypothesis
  const left = unmatchedWords(found, of, depth)
  let places = localityWords
  let towns = 0
  // `44 Ikot Ekpene Road` names a street, and no other place.
  let streets = query.streetNames
  for (const mention of mentions) {
    if (mention.isStreet) streets |= mention.mask
    if (!mention.hasError && !mention.isStreet) places |= mention.mask
    if (mention.lga >= 0 && mention.state === best?.state && !mention.hasError) towns |= mention.mask
  }
  places &= ~(streets & left)
  const isOther = best?.doubt === "place" && (left & places) === 0
  const otherPlaces = isOther ? towns & ~query.fillers : left & places
  const missing = left & ~places
  return {
    otherPlaces: rawWords(query, otherPlaces),
    missing: rawWords(query, missing),
    missingLandmark: rawWords(query, missing & query.landmark),
    missingBeside: rawWords(query, missing & ~query.landmark)
  }
}

/** The words of names, unless one of the candidates has them all without an error. */
const unnamedWords = ({ mentions, query }: Found, candidates: ReadonlyArray<AddressCandidate>): string => {
  let words = query.all & ~(query.fillers | query.relation | query.numerals | query.streets)
  for (const { mask } of mentions) words &= ~mask
  const isNamed = ({ label }: AddressCandidate): boolean => {
    const named = wordsOf(label)
    return query.words.every((word, at) => (words & (1 << at)) === 0 || named.includes(word))
  }
  return candidates.some(isNamed) ? "" : rawWords(query, words)
}

const unmatchedWords = (found: Found, of: Sourced | undefined, depth: number): number => {
  const { fillers, all, relation } = found.query
  return all & ~((of?.hypothesis.covered ?? 0) & ~correctedWords(found, of, depth)) & ~fillers & ~relation
}

/**
 * The words that were corrected by more than one letter to those of a name that the answer does not have: `Otigba` for
 * `Ogba`, and the answer is the LGA.
 */
const correctedWords = ({ directory, mentions, query }: Found, of: Sourced | undefined, depth: number): number => {
  const best = of?.hypothesis
  if (of?.source === undefined || best?.kind !== "name" || !best.isUnlisted || best.missingNumber) return 0
  if (depth !== 0 && depth !== 1) return 0
  const named = wordsOf(labelOf(directory, of.source.index, best, 4, best.start))
  let words = query.words.reduce((mask, word, at) => (isIn(named, word) ? mask : mask | (1 << at)), 0)
  for (const { mask } of mentions) words &= ~mask
  return words & best.covered & ~query.numerals
}

const isIn = (words: ReadonlyArray<string>, written: string): boolean =>
  words.some((word) => word.startsWith(written) || errorsBetween(written, word, 1) <= 1)

/** Some words as they are written, each once. */
const rawWords = (query: Query, some: number): string => {
  const words = new Set<string>()
  for (let at = 0; at < query.words.length; at++) {
    if ((some & (1 << at)) !== 0) words.add(query.raw[query.origins[at] as number] as string)
  }
  return [...words].join(" ")
}

const labelWithin = (directory: Directory, of: Sourced, depth: number, code: string): string =>
  labelOf(directory, of.source?.index, of.hypothesis, depth, depth === 4 ? unitAt(of, code) : -1)

/** `12 Allen Avenue`, if the answer is a unit with a name. */
const houseLabel = (
  of: Sourced | undefined,
  answer: { readonly code: number; readonly depth: number } | undefined
): string | null => {
  if (of?.source === undefined || answer?.depth !== 4 || of.hypothesis.kind !== "name") return null
  return nameLabel(of.source.index, of.hypothesis, unitAt(of, codeText(answer.code, 4)))
}

/** The locality's name, also if it lies in several LGAs. */
const localityLabel = (of: Sourced | undefined): string | null => {
  const locality = of?.hypothesis.locality ?? -1
  if (of?.source === undefined || locality < 0) return null
  return textAt(of.source.index, of.source.index.localityTexts[locality] as number) || null
}

/** The position in `AddressIndex.units` of a hypothesis's unit with a code, or −1. */
const unitAt = ({ hypothesis: { end, start }, source }: Sourced, postcode: string): number => {
  if (source === undefined) return -1
  for (let at = start; at < end && at < start + maxScanned; at++) {
    const code = source.codeAt(at)
    if (code >= 0 && codeText(code, 4) === postcode) return at
  }
  return -1
}

const maxScanned = 1024

const understand = (found: Found, of: Sourced | undefined, depth: number): Understood => {
  const { aside, directory, mentions, query } = found
  const best = of?.hypothesis
  const index = of?.source?.index
  const unmatched = rawWords(query, unmatchedWords(found, of, depth))
  // A town names none of the LGAs that it consists of.
  const isNamed = (lga: number, state: number) =>
    mentions.some((one) => one.lga === lga && one.state === state && (one.mask & ~one.townMask) !== 0)
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
    relation: best !== undefined && isRelated(query, best) ? query.relationText : null,
    subpremise: aside.subpremise,
    ignored: aside.ignored,
    unmatched: unmatched === "" ? [] : unmatched.split(" ")
  }
}

/** Whether a relation such as `behind` is one, and no part of the name. */
const isRelated = (query: Query, { covered, reading }: Hypothesis): boolean =>
  reading !== "ordinary" || (covered & query.relation) === 0

/** A hypothesis that leaves words over names something like its unit: the unit is still worth showing. */
const siblingFactor = 0.5

/** A misspelled state or LGA is worth showing, too, although its probability may count nowhere. */
const placeDepths: Partial<Record<HypothesisKind, number>> = { state: 0, lga: 1 }

const candidatesOf = ({ directory, limit, weighed }: Found): ReadonlyArray<AddressCandidate> => {
  const byCode = new Map<string, { readonly one: Weighed; readonly depth: number; probability: number }>()
  for (const one of weighed) {
    const { codes, hypothesis, units } = one
    const isUnit = units.length > 0 && hypothesis.reading !== "landmark" && !hypothesis.missingNumber
    const factor = isUnit && one.depth < 4 ? siblingFactor : 1
    // The only unit of a locality is worth showing, too.
    const isOnly = hypothesis.kind === "locality" && !hypothesis.isUnlisted && one.codes.length === 1
    const depth = isUnit || isOnly ? 4 : (placeDepths[hypothesis.kind] ?? Math.min(one.depth, 3))
    if (depth < 0) continue
    const of = isUnit ? units : codes
    for (const code of of) {
      const key = codeText(code, depth)
      const probability = (factor * one.probability) / of.length
      const known = byCode.get(key)
      if (known === undefined) byCode.set(key, { one, depth, probability })
      else known.probability += probability
    }
  }
  return [...byCode]
    .sort(([, a], [, b]) => b.probability - a.probability)
    .slice(0, limit)
    .map(([code, { depth, one, probability }]) => ({
      code,
      precision: precisions[depth] as AddressPrecision,
      label: labelWithin(directory, one, depth, code),
      probability: Math.round(1000 * probability) / 1000
    }))
}
