/**
 * Words that may be meant by a misspelled one: those that become equal if each of the two loses at most one character.
 * That finds every wrong, missing, additional or swapped character. Hashes only choose the words to compare.
 */
import { encodeUtf8 } from "../csv/TextCoding.ts"
import { maxBucketEntries } from "../snapshot/SnapshotLimits.ts"

/** Words of fewer characters have too many neighbours. */
const minLength = 4
const maxLength = 24

/** The words by bucket: the first entry of each in `words`, and the end of the last. */
export interface Misspellings {
  readonly starts: Uint32Array
  readonly words: Uint32Array
}

/** Calls `found` for each word that may be meant. A word may be found twice. */
export const forEachMeant = ({ starts, words }: Misspellings, written: string, found: (word: number) => void): void => {
  const length = writeUtf8(written)
  if (!canMisspell(scratch, 0, length)) return
  const last = starts.length - 2
  for (let left = 0; left <= length; left++) {
    const bucket = hashWithout(scratch, 0, length, left) & last
    const end = starts[bucket + 1] as number
    for (let at = starts[bucket] as number; at < end; at++) found(words[at] as number)
  }
}

const scratch = new Uint8Array(maxLength)

/** Writes a word to `scratch`; returns its length, or 0 if it is too long. */
const writeUtf8 = (word: string): number => {
  if (word.length > maxLength) return 0
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    if (code > 0x7f) {
      const bytes = encodeUtf8(word)
      if (bytes.length > maxLength) return 0
      scratch.set(bytes)
      return bytes.length
    }
    scratch[at] = code
  }
  return word.length
}

/** Whether a word can be misspelled: numerals and short words are taken as they are. */
const canMisspell = (bytes: Uint8Array, start: number, end: number): boolean => {
  const length = end - start
  if (length < minLength || length > maxLength) return false
  for (let at = start; at < end; at++) {
    const code = bytes[at] as number
    if (code >= 0x30 && code <= 0x39) return false
  }
  return true
}

/** The hash of some bytes without the one at `left`; of all if `left` is the end. */
const hashWithout = (bytes: Uint8Array, start: number, end: number, left: number): number => {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) if (at !== left) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** @param perBucket the number of entries that a bucket has at most, on average */
export const buildMisspellings = (wordBytes: Uint8Array, wordStarts: Uint32Array, perBucket: number): Misspellings => {
  const count = wordStarts.length - 1
  let entries = 0
  for (let word = 0; word < count; word++) {
    const start = wordStarts[word] as number
    const end = wordStarts[word + 1] as number
    if (canMisspell(wordBytes, start, end)) entries += end - start + 1
  }
  const buckets = 2 ** Math.max(4, Math.ceil(Math.log2(entries / perBucket + 1)))
  const starts = new Uint32Array(buckets + 1)
  forEachEntry(wordBytes, wordStarts, buckets, (bucket) => {
    starts[bucket] = (starts[bucket] as number) + 1
  })
  for (let bucket = 0; bucket <= buckets; bucket++) {
    const length = Math.min(starts[bucket] as number, maxBucketEntries)
    starts[bucket] = length + (bucket === 0 ? 0 : (starts[bucket - 1] as number))
  }
  const words = new Uint32Array(starts[buckets] as number)
  const placed = new Uint8Array(buckets)
  // From the ends, so that the starts are right when all are placed.
  forEachEntry(wordBytes, wordStarts, buckets, (bucket, word) => {
    if (placed[bucket] === maxBucketEntries) return
    placed[bucket] = (placed[bucket] as number) + 1
    const place = (starts[bucket] as number) - 1
    starts[bucket] = place
    words[place] = word
  })
  return { starts, words }
}

const forEachEntry = (
  bytes: Uint8Array,
  wordStarts: Uint32Array,
  buckets: number,
  visit: (bucket: number, word: number) => void
): void => {
  for (let word = 0; word + 1 < wordStarts.length; word++) {
    const start = wordStarts[word] as number
    const end = wordStarts[word + 1] as number
    if (!canMisspell(bytes, start, end)) continue
    for (let left = start; left <= end; left++) visit(hashWithout(bytes, start, end, left) & (buckets - 1), word)
  }
}
