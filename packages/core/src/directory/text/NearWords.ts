/**
 * Words that a typing error apart may mean: one wrong, missing, additional or swapped character, or two errors in long
 * words. Two errors are rare, and are found by comparison with all long words that have mostly the same letters.
 */
import { countBits } from "../codes/Bits.ts"
import { errorsBetween } from "./errorsBetween.ts"
import { buildMisspellings, forEachMeant, type Misspellings } from "./Misspellings.ts"
import { TextTable } from "./TextTable.ts"

/** In longer words, two errors. */
const minLengthOfTwoErrors = 8
/** Comparisons for one word. Only hostile names have so many with mostly the same letters. */
const maxCompared = 512

export class NearWords {
  private readonly words: ReadonlyArray<string>
  private readonly misspellings: Misspellings
  /** The long words, and the letters of each as a bit set. */
  private readonly long: ReadonlyArray<number>
  private readonly longLetters: Int32Array

  /** @param words distinct */
  constructor(words: ReadonlyArray<string>) {
    this.words = words
    const table = new TextTable()
    for (const word of words) table.add(word)
    const { bytes, starts } = table.columns()
    this.misspellings = buildMisspellings(bytes, starts, 1)
    this.long = words.flatMap((word, id) => (word.length >= minLengthOfTwoErrors - 1 && !/\d/.test(word) ? [id] : []))
    this.longLetters = Int32Array.from(this.long, (id) => lettersOf(words[id] as string))
  }

  /** Calls `found` for each word one error away. A word may be found twice. */
  oneError(text: string, found: (id: number) => void): void {
    const { words } = this
    forEachMeant(this.misspellings, text, (id) => {
      if (errorsBetween(text, words[id] as string, 1) === 1) found(id)
    })
  }

  /** Calls `found` for each long word two errors away. */
  twoErrors(text: string, found: (id: number) => void): void {
    if (text.length < minLengthOfTwoErrors || /\d/.test(text)) return
    const { long, longLetters, words } = this
    const letters = lettersOf(text)
    for (let at = 0, compared = 0; at < long.length && compared < maxCompared; at++) {
      if (countBits(letters ^ (longLetters[at] as number)) > 4) continue
      compared++
      const id = long[at] as number
      if (errorsBetween(text, words[id] as string, 2) === 2) found(id)
    }
  }
}

/** The letters of a word as a bit set; other characters share its last bit. */
const lettersOf = (word: string): number => {
  let letters = 0
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97
    letters |= 1 << (letter >= 0 && letter < 26 ? letter : 26)
  }
  return letters
}
