/**
 * Checks that the address index of a snapshot is safe to search: every number stays within the arrays that it leads to,
 * and no list that a search walks is longer than a writer makes it.
 */
import { decodeUtf8 } from "../csv/TextCoding.ts"
import type { AddressIndex } from "../text/AddressIndex.ts"
import { checkLength } from "./checkLength.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"
import { maxBucketEntries, maxLgas, maxTextBytes, maxWordBytes, maxWordsOfText } from "./SnapshotLimits.ts"

/**
 * Whether words are sorted, names in the right locality and ids distinct takes too long to check. A file that violates
 * this makes searches miss units. No list of references has one twice, so a search meets each name at most once a word.
 *
 * @param units number of units of the directory
 * @throws InvalidSnapshot
 */
export const checkAddresses = (index: AddressIndex, units: number): void => {
  const texts = index.textStarts.length - 1
  const words = index.wordStarts.length - 1
  const localities = index.localityTexts.length
  const names = index.nameTexts.length
  checkLength("addresses.units", index.units.length, units)
  if (index.numbers.length > 0) checkLength("addresses.numbers", index.numbers.length, units)
  checkLength("addresses.lgaLocalities", index.lgaLocalities.length, index.lgas.length + 1)
  checkLength("addresses.localityContexts", index.localityContexts.length, localities)
  checkLength("addresses.localityNames", index.localityNames.length, localities + 1)
  checkLength("addresses.localityUnits", index.localityUnits.length, localities + 1)
  checkLength("addresses.nameContexts", index.nameContexts.length, names)
  checkLength("addresses.nameUnits", index.nameUnits.length, names)
  checkLength("addresses.textWordStarts", index.textWordStarts.length, texts + 1)
  checkLength("addresses.wordRarities", index.wordRarities.length, words)
  checkLength("addresses.nameRefStarts", index.nameRefStarts.length, words + 1)
  checkLength("addresses.localityRefStarts", index.localityRefStarts.length, words + 1)
  checkStarts("lgaLocalities", index.lgaLocalities, localities)
  checkStarts("localityNames", index.localityNames, names)
  checkStarts("localityUnits", index.localityUnits, units)
  checkRanges("textStarts", index.textStarts, index.textBytes.length, maxTextBytes)
  checkRanges("textWordStarts", index.textWordStarts, index.textWords.length, maxWordsOfText)
  checkRanges("wordStarts", index.wordStarts, index.wordBytes.length, maxWordBytes)
  checkStarts("nameRefStarts", index.nameRefStarts, index.nameRefs.length)
  checkStarts("localityRefStarts", index.localityRefStarts, index.localityRefs.length)
  checkRanges("misspellingStarts", index.misspellingStarts, index.misspellings.length, maxBucketEntries)
  checkBuckets(index.misspellingStarts.length - 1)
  checkAscending("lgas", index.lgas, 0, index.lgas.length, maxLgas)
  checkBelow("localityTexts", index.localityTexts, texts)
  checkBelow("localityContexts", index.localityContexts, texts)
  checkBelow("nameTexts", index.nameTexts, texts)
  checkBelow("nameContexts", index.nameContexts, texts)
  checkBelow("units", index.units, units)
  checkBelow("textWords", index.textWords, words)
  checkRefs("nameRefs", index.nameRefs, index.nameRefStarts, names)
  checkRefs("localityRefs", index.localityRefs, index.localityRefStarts, localities)
  checkBelow("misspellings", index.misspellings, words)
  checkNameUnits(index)
  checkText("textBytes", index.textBytes, index.textStarts)
  checkText("wordBytes", index.wordBytes, index.wordStarts)
}

const refused = (section: string, expected: string) =>
  new InvalidSnapshot(`section addresses.${section}: expected ${expected}`)

const checkStarts = (section: string, starts: Uint32Array, end: number): void => {
  let last = 0
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at] as number
    if (start < last) throw refused(section, `element ${at} at or above the one before it`)
    last = start
  }
  if (starts[0] !== 0 || last !== end) throw refused(section, `elements from 0 to ${end}`)
}

/** The same, and no range longer than so many elements. */
const checkRanges = (section: string, starts: Uint32Array, end: number, most: number): void => {
  checkStarts(section, starts, end)
  for (let range = 0; range + 1 < starts.length; range++) {
    const length = (starts[range + 1] as number) - (starts[range] as number)
    if (length > most) throw refused(section, `at most ${most} elements in range ${range}, found ${length}`)
  }
}

/** The references of each word. */
const checkRefs = (section: string, refs: Uint32Array, starts: Uint32Array, below: number): void => {
  for (let word = 0; word + 1 < starts.length; word++) {
    checkAscending(section, refs, starts[word] as number, starts[word + 1] as number, below)
  }
}

const checkAscending = (section: string, values: Uint32Array, start: number, end: number, below: number): void => {
  let last = -1
  for (let at = start; at < end; at++) {
    const value = values[at] as number
    if (value <= last || value >= below) {
      throw refused(section, `element ${at} above the one before it, and below ${below}`)
    }
    last = value
  }
}

const checkBelow = (section: string, values: Uint32Array, below: number): void => {
  for (let at = 0; at < values.length; at++) {
    if ((values[at] as number) >= below) throw refused(section, `element ${at} below ${below}`)
  }
}

/** A hash is cut to the bits of a bucket. */
const checkBuckets = (buckets: number): void => {
  if (buckets < 1 || (buckets & (buckets - 1)) !== 0) throw refused("misspellingStarts", "2^n buckets")
}

/** The names of a locality have units within those of the locality. */
const checkNameUnits = ({ localityNames, localityUnits, nameUnits }: AddressIndex): void => {
  for (let locality = 0; locality + 1 < localityNames.length; locality++) {
    let last = localityUnits[locality] as number
    const end = localityUnits[locality + 1] as number
    for (let name = localityNames[locality] as number; name < (localityNames[locality + 1] as number); name++) {
      const start = nameUnits[name] as number
      if (start < last || start > end) throw refused("nameUnits", `element ${name} from ${last} to ${end}`)
      last = start
    }
  }
}

/** UTF-8 as a whole, and no text that starts within a character. */
const checkText = (section: string, bytes: Uint8Array, starts: Uint32Array): void => {
  try {
    decodeUtf8(bytes)
  } catch {
    throw refused(section, "UTF-8")
  }
  for (let at = 0; at < starts.length; at++) {
    if (((bytes[starts[at] as number] ?? 0) & 0xc0) === 0x80) throw refused(section, "whole characters in each text")
  }
}
