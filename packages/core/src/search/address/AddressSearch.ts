/**
 * Finds what an address means that people write: `12 Allen Avenue, Ikeja`, `Aba North PHC, Eziama`, `behind Fabian Hotel,
 * Ado Ekiti`. The text is evidence that spreads probability over the units of the directory. The answer is the deepest
 * code that holds at least 95 % of it, so it is never more precise than the text.
 */
import type { Directory } from "../../directory/Directory.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"
import type { AddressAnswer } from "./AddressAnswer.ts"
import { answerOf } from "./answerOf.ts"
import { answerPostcode } from "./answerPostcode.ts"
import { Candidates } from "./Candidates.ts"
import { weigh } from "./Evidence.ts"
import { mentionsIn } from "./PlaceMentions.ts"
import { readQuery } from "./QueryText.ts"
import { Scorer } from "./scoreHypotheses.ts"
import { scorePlaces, wordCostsOf } from "./scorePlaces.ts"
import { WordMatches } from "./WordMatches.ts"

export type { AddressAnswer, AddressCandidate, AddressPrecision, Understood } from "./AddressAnswer.ts"

/** Options of `searchAddress`. */
export interface AddressSearchOptions {
  /** Number of candidates, from 1 to 20. Default: 5. */
  readonly limit?: number
  /** `lga`: the text is matched against states and LGAs only, and the answer has nothing finer. Default: `unit`. */
  readonly finest?: "lga" | "unit"
}

/** Longer texts are cut. */
export const maxAddressLength = 200

/**
 * Searches the addresses that a directory was built with; without them, states and local government areas only. No text
 * is an error.
 *
 * ```ts
 * searchAddress(directory, "aba north phc eziama").code // "AB-01-E01-AA-02"
 * ```
 *
 * @throws RangeError if `limit` is not an integer from 1 to 20
 */
export const searchAddress = (
  directory: Directory,
  text: string,
  options: AddressSearchOptions = {}
): AddressAnswer => {
  const { finest = "unit", limit = 5 } = options
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 20)) {
    throw new RangeError("limit: expected an integer from 1 to 20")
  }
  const cut = String(text).slice(0, maxAddressLength)
  const ofPostcode = answerPostcode(directory, cut, limit, finest)
  if (ofPostcode !== undefined) return ofPostcode
  const query = readQuery(cut)
  const mentions = mentionsIn(directory, query)
  const index = finest === "unit" ? directory.addresses : undefined
  const hypotheses =
    index === undefined
      ? scorePlaces(query, mentions, wordCostsOf(query, mentions, []))
      : searcherOf(index).search(query, mentions)
  const weighed = weigh(directory, index, hypotheses)
  return answerOf({ directory, index, query, mentions, weighed, limit, finest })
}

/** Arrays for searching one index, used again by each search. */
class Searcher {
  private readonly matches: WordMatches
  private readonly candidates: Candidates
  private readonly scorer: Scorer

  constructor(index: AddressIndex) {
    this.matches = new WordMatches(index)
    this.candidates = new Candidates(index)
    this.scorer = new Scorer(index, this.candidates, this.matches)
  }

  search(query: ReturnType<typeof readQuery>, mentions: ReturnType<typeof mentionsIn>) {
    const { candidates, matches, scorer } = this
    matches.read(query)
    candidates.find(query, matches, mentions)
    scorer.score(query, mentions)
    const first = likeliest(scorer.hypotheses)
    // Words that exist, but explain nothing here, may be misspelled.
    const left = query.all & ~first.covered & ~query.fillers & ~query.relation & ~query.numerals
    if (left !== 0) {
      matches.readMisspelled(query, left)
      candidates.find(query, matches, mentions)
      scorer.score(query, mentions)
    }
    return scorer.hypotheses
  }
}

const likeliest = (hypotheses: Scorer["hypotheses"]) =>
  hypotheses.reduce((best, hypothesis) => (hypothesis.cost < best.cost ? hypothesis : best))

const searchers = new WeakMap<AddressIndex, Searcher>()

const searcherOf = (index: AddressIndex): Searcher => {
  const searcher = searchers.get(index) ?? new Searcher(index)
  searchers.set(index, searcher)
  return searcher
}
