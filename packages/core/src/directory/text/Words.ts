/**
 * The words of a name or an address in the form that is compared: lower case, without diacritics and apostrophes, in
 * whole words instead of abbreviations, Arabic instead of Roman numerals. `P/S Ọ̀bà II` → `primary school oba 2`.
 */
import { maxWordUnits } from "../snapshot/SnapshotLimits.ts"
import { abbreviations } from "./Abbreviations.ts"
import { fold } from "./foldText.ts"

/** The words as they are compared and, for each, the index of the word in `raw` that it was written as. */
export interface Words {
  readonly words: ReadonlyArray<string>
  readonly origins: ReadonlyArray<number>
  /** The words as they stand in the text, after folding; letters that are one abbreviation together: `a e`. */
  readonly raw: ReadonlyArray<string>
}

export const readWords = (text: string): Words => {
  const raw = rawWords(text)
  const words: Array<string> = []
  const origins: Array<number> = []
  for (let at = 0; at < raw.length; at++) {
    const letters = initialsAt(raw, at)
    const word = letters > 1 ? cut(raw.slice(at, at + letters).join("")) : (raw[at] as string)
    if (letters > 1) raw[at] = raw.slice(at, at + letters).join(" ")
    const meaning = abbreviations.get(word)
    for (const meant of meaning ?? [word]) {
      words.push(meant)
      origins.push(at)
    }
    at += letters - 1
  }
  return { words, origins, raw }
}

export const wordsOf = (text: string): ReadonlyArray<string> => readWords(text).words

/** Numbers and single letters tell siblings apart, so they are never taken for others. */
export const isNumeral = (word: string): boolean => {
  const first = word.charCodeAt(0)
  return word.length === 1 || (first >= 0x30 && first <= 0x39)
}

const rawWords = (text: string): Array<string> => {
  const folded = isAscii(text) ? text.toLowerCase().replace(/['`]/g, "") : fold(text)
  const found = (folded.includes("u/") ? folded.replace(ungwan, "ungwan ") : folded).match(/[\p{L}\p{N}]+/gu) ?? []
  return found.map(cut)
}

/** `U/Rimi` is Ungwan Rimi, however that is spelled. */
const ungwan = /(?<![\p{L}\p{N}])u\/(?=\p{L}{3})/gu

/** Long words are cut, because a word has no use for more and the index stores it. */
const cut = (word: string): string => (word.length > maxWordUnits ? word.slice(0, maxWordUnits) : word)

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** The number of words from here that are one letter each: `p s` is one abbreviation. At least 1. */
const initialsAt = (raw: ReadonlyArray<string>, at: number): number => {
  let end = at
  while (end < raw.length && isInitial(raw[end] as string)) end++
  return Math.max(1, end - at)
}

/** `i`, `v` and `x` are rather numerals. */
const isInitial = (word: string): boolean => word.length === 1 && word >= "a" && word <= "z" && !"ivx".includes(word)
