/**
 * A text as it is searched: its words, and what the words are for. A set of words is a bit set, so that "which words does
 * this explain" is one number.
 */
import { isNumeral, readWords } from "../../../directory/text/Words.ts"
import { type Relation, relationIn } from "./relationIn.ts"

export interface Query extends Relation {
  /** In the form of the index; at most `maxWords`. */
  readonly words: ReadonlyArray<string>
  /** The word of each in `raw`. */
  readonly origins: ReadonlyArray<number>
  readonly raw: ReadonlyArray<string>
  /** Whether words were left out because there were too many. */
  readonly isCut: boolean
  /** All words. */
  readonly all: number
  readonly numerals: number
  /** Words that say what something is, not which: `state`, `flat`, `the`. */
  readonly fillers: number
  /** The number after `flat`, and the like. */
  readonly flats: number
}

/** A bit set has 31 bits that are easy to use. */
const maxWords = 30

export const readQuery = (text: string): Query => {
  const read = readWords(text.replace(localGovernmentArea, "lga"))
  const words = read.words.slice(0, maxWords)
  const all = words.length === 0 ? 0 : 2 ** words.length - 1
  let numerals = 0
  let fillerBits = 0
  let flats = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (isNumeral(word)) numerals |= 1 << at
    if (fillers.has(word)) fillerBits |= 1 << at
    if (isDigit(words[at + 1]) && numberWords.has(word)) {
      fillerBits |= 1 << at
      if (flatWords.has(word)) flats |= 1 << (at + 1)
    }
  }
  const relation = relationIn(words)
  return {
    words,
    origins: read.origins,
    raw: read.raw,
    isCut: words.length < read.words.length,
    all,
    numerals: numerals & ~relation.relation,
    fillers: fillerBits,
    flats,
    ...relation
  }
}

const localGovernmentArea = /\blocal\s+gov(?:ernmen)?t\.?\s+area\b/gi

const isDigit = (word: string | undefined): boolean => word !== undefined && /^\d/.test(word)

const fillers: ReadonlySet<string> = new Set(
  "lga lcda lg state ward nigeria ng town village city area the of and at in axis".split(" ")
)
const flatWords: ReadonlySet<string> = new Set("flat suite shop apartment apt unit room".split(" "))
const numberWords: ReadonlySet<string> = new Set([...flatWords, ..."no num number plot house block blk".split(" ")])
