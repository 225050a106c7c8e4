/**
 * Words that a typing error apart may mean: one wrong, missing, additional or swapped character, or two errors in long
 * words.
 *
 * Two words at most one error apart become equal if each loses at most one character. So the words are filed under the
 * hashes of themselves without each character; the hashes only choose which words to compare. Two errors are rare, and
 * are found by comparison with all long words that have mostly the same letters.
 */
import { countBits } from "../codes/Bits.ts"
import { errorsBetween } from "./errorsBetween.ts"

/** Shorter words have too many neighbours. */
const minLength = 4
/** In longer words, two errors. */
const minLengthOfTwoErrors = 8
const maxLength = 32

export class NearWords {
  private readonly words: ReadonlyArray<string>
  /** First entry of each bucket in `filed`, and the end of the last. The number of buckets is a power of 2. */
  private readonly starts: Uint32Array
  private readonly filed: Uint32Array
  /** The long words, and the letters of each as a bit set. */
  private readonly long: ReadonlyArray<number>
  private readonly longLetters: Int32Array

  constructor(words: ReadonlyArray<string>) {
    this.words = words
    const entries = words.reduce((sum, word) => sum + (hasErrors(word) ? word.length + 1 : 0), 0)
    const buckets = 2 ** Math.max(4, Math.ceil(Math.log2(entries + 1)))
    this.starts = new Uint32Array(buckets + 1)
    this.filed = new Uint32Array(entries)
    this.file()
    this.long = words.flatMap((word, id) => (word.length >= minLengthOfTwoErrors - 1 && hasErrors(word) ? [id] : []))
    this.longLetters = Int32Array.from(this.long, (id) => lettersOf(words[id] as string))
  }

  /** Calls `found` for each word one error away. A word may be found twice. */
  oneError(text: string, found: (id: number) => void): void {
    if (!hasErrors(text)) return
    const { filed, starts, words } = this
    const last = starts.length - 2
    for (let left = 0; left <= text.length; left++) {
      const bucket = hashWithout(text, left) & last
      const end = starts[bucket + 1] as number
      for (let at = starts[bucket] as number; at < end; at++) {
        const id = filed[at] as number
        if (errorsBetween(text, words[id] as string, 1) === 1) found(id)
      }
    }
  }

  /** Calls `found` for each long word two errors away. */
  twoErrors(text: string, found: (id: number) => void): void {
    if (text.length < minLengthOfTwoErrors || !hasErrors(text)) return
    const { long, longLetters, words } = this
    const letters = lettersOf(text)
    for (let at = 0; at < long.length; at++) {
      if (countBits(letters ^ (longLetters[at] as number)) > 4) continue
      const id = long[at] as number
      if (errorsBetween(text, words[id] as string, 2) === 2) found(id)
    }
  }

  private file(): void {
    const { filed, starts, words } = this
    const last = starts.length - 2
    const each = (visit: (bucket: number, id: number) => void): void => {
      for (const [id, word] of words.entries()) {
        if (!hasErrors(word)) continue
        for (let left = 0; left <= word.length; left++) visit(hashWithout(word, left) & last, id)
      }
    }
    each((bucket) => {
      starts[bucket] = (starts[bucket] as number) + 1
    })
    for (let bucket = 1; bucket < starts.length; bucket++) {
      starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number)
    }
    // From the end of each bucket, so that the starts are right when all words are filed.
    each((bucket, id) => {
      const at = (starts[bucket] as number) - 1
      starts[bucket] = at
      filed[at] = id
    })
  }
}

/** Whether errors are looked for: numbers and short words are taken as they are. */
const hasErrors = (word: string): boolean => word.length >= minLength && word.length <= maxLength && !/\d/.test(word)

/** The hash of a word without one character; of all of it if `left` is its length. */
const hashWithout = (word: string, left: number): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) {
    if (at !== left) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
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
