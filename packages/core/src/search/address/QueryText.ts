/**
 * A text as it is searched: its words, and what the words are for. A set of words is a bit set, so that "which words does
 * this explain" is one number.
 */
import { isNumeral, readWords } from "../../directory/text/Words.ts"

export interface Query {
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
  /** Words such as `behind`, the words before them and those after them; 0 without a relation. */
  readonly relation: number
  readonly before: number
  readonly after: number
  readonly relationText: string | null
}

/** A bit set has 31 bits that are easy to use. */
export const maxWords = 30

export const readQuery = (text: string): Query => {
  const read = readWords(text)
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
    numerals,
    fillers: fillerBits,
    flats,
    ...relation
  }
}

const isDigit = (word: string | undefined): boolean => word !== undefined && /^\d/.test(word)

const fillers: ReadonlySet<string> = new Set(
  "lga lcda lg state ward nigeria ng town village city area the of and at in along axis".split(" ")
)
const flatWords: ReadonlySet<string> = new Set("flat suite shop apartment apt unit room".split(" "))
const numberWords: ReadonlySet<string> = new Set([...flatWords, ..."no num number plot house block blk".split(" ")])

/** Longer ones first. The words are in the form of the index. */
const relations = [
  "directly opposite",
  "in front of",
  "at the back of",
  "back of",
  "close to",
  "close by",
  "next to",
  "adjacent to",
  "adjacent",
  "opposite",
  "behind",
  "beside",
  "besides",
  "near",
  "nearby",
  "facing",
  "around",
  "by",
  "off",
  "after",
  "before"
].map((relation) => relation.split(" "))

type Relation = Pick<Query, "after" | "before" | "relation" | "relationText">

const noRelation: Relation = { relation: 0, before: 0, after: 0, relationText: null }

/** The first relation with words after it. */
const relationIn = (words: ReadonlyArray<string>): Relation => {
  for (let at = 0; at + 1 < words.length; at++) {
    for (const relation of relations) {
      const end = at + relation.length
      if (end >= words.length || relation.some((word, offset) => words[at + offset] !== word)) continue
      const before = 2 ** at - 1
      return {
        before,
        relation: 2 ** end - 1 - before,
        after: 2 ** words.length - 2 ** end,
        relationText: relation.join(" ")
      }
    }
  }
  return noRelation
}
