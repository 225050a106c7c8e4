/** What the files of a directory have besides the directory itself, which only the checks use. */

/** Where a place is. A point is somewhere in it. */
export type PlaceLocation =
  | { readonly lat: number; readonly lon: number }
  | { readonly south: number; readonly west: number; readonly north: number; readonly east: number }

export interface FileFacts {
  /** By the code of a state or LGA. */
  readonly places: ReadonlyMap<string, PlaceLocation>
  /** The key of a unit's address; 0 if it has none, or if addresses were not read. */
  readonly addressKeyOf: (id: number) => number
  /** Why the file of units may have been cut off. */
  readonly cutOff?: string | undefined
}

/** Of a directory whose files are not at hand. */
export const noFacts: FileFacts = { places: new Map(), addressKeyOf: () => 0 }

/**
 * A number for an address. The lowest bit says whether the address begins with a house number. Equal addresses have equal keys, whatever
 * their case and signs; other addresses of one LGA hardly ever have.
 */
export const addressKey = (address: string): number => {
  if (address === "") return 0
  let hash = 0x811c9dc5
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at)
    const isLetter = (code >= 0x30 && code <= 0x39) || (code | 0x20) >= 0x61
    if (isLetter) hash = Math.imul(hash ^ (code >= 0x41 && code <= 0x5a ? code | 0x20 : code), 0x01000193)
  }
  const key = hash & ~1
  return ((key === 0 ? 2 : key) | (houseNumber.test(address) ? 1 : 0)) >>> 0
}

/** The key of an address of ASCII, by its bytes. */
export const addressKeyIn = (bytes: Uint8Array, start: number, end: number): number => {
  if (start === end) return 0
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    const letter = letters[bytes[at] as number] as number
    if (letter !== 0) hash = Math.imul(hash ^ letter, 0x01000193)
  }
  const key = hash & ~1
  return ((key === 0 ? 2 : key) | (beginsWithNumber(bytes, start, end) ? 1 : 0)) >>> 0
}

/** Whether `houseNumber` matches. */
const beginsWithNumber = (bytes: Uint8Array, start: number, end: number): boolean => {
  let at = start
  while (at < end && (wordSigns[bytes[at] as number] as number) === 0) at++
  if (at === end) return false
  if (isDigit(bytes[at] as number)) return true
  const length = houseLetters[bytes[at] as number] === 0 ? 0 : houseWordAt(bytes, at, end)
  if (length === 0) return false
  at += length
  while (at < end && separators.includes(bytes[at] as number)) at++
  return at < end && isDigit(bytes[at] as number)
}

/** The length of the word of `houseNumber` that stands in the bytes, or 0. */
const houseWordAt = (bytes: Uint8Array, at: number, end: number): number =>
  houseWords.find((word) => startsWith(bytes, at, end, word))?.length ?? 0

/** Whether a word stands in the bytes, in either case, and ends there. */
const startsWith = (bytes: Uint8Array, at: number, end: number, word: ReadonlyArray<number>): boolean => {
  for (let letter = 0; letter < word.length; letter++) {
    if (((bytes[at + letter] as number) | 0x20) !== word[letter]) return false
  }
  const next = at + word.length
  return next < end && wordSigns[bytes[next] as number] === 0
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** The words of `houseNumber`, and whether one begins with a byte, which few addresses do. */
const houseWords: ReadonlyArray<ReadonlyArray<number>> = ["no", "plot", "house", "block", "flat", "suite"].map((word) =>
  Array.from(word, (letter) => letter.charCodeAt(0))
)
const houseLetters = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(houseWords.some(([first]) => first === (code | 0x20)))
)
/** By the byte: the digit or the letter in lower case that counts in a key, or 0. */
const letters = Uint8Array.from({ length: 256 }, (_, code) => {
  const isLetter = (code >= 0x30 && code <= 0x39) || (code | 0x20) >= 0x61
  return isLetter ? (code >= 0x41 && code <= 0x5a ? code | 0x20 : code) : 0
})
/** White space of ASCII, and signs between a word and its number. */
const separators: ReadonlyArray<number> = Array.from("\t\n\v\f\r .:#-", (sign) => sign.charCodeAt(0))
const wordSigns = Uint8Array.from({ length: 256 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))))

const houseNumber = /^\W*(?:(?:no|plot|house|block|flat|suite)\b[\s.:#-]*)?\d/i

/** Whether the address of a key begins with a house number. */
export const hasHouseNumber = (key: number): boolean => (key & 1) === 1
