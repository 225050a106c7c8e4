/** Checks that the address index of a snapshot is safe to search: every number stays within the arrays that it leads to. */
import { decodeUtf8 } from "../csv/TextCoding.ts"
import type { AddressIndex } from "../text/AddressIndex.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/**
 * Whether words are sorted, names in the right locality and ids distinct takes too long to check. A file that violates
 * this makes searches miss units.
 *
 * @param units number of units of the directory
 * @throws InvalidSnapshot
 */
export const checkAddresses = (index: AddressIndex, units: number): void => {
  const texts = index.textStarts.length - 1
  const words = index.wordStarts.length - 1
  const localities = index.localityTexts.length
  const names = index.nameTexts.length
  checkLength("units", index.units.length, units)
  if (index.numbers.length > 0) checkLength("numbers", index.numbers.length, units)
  checkLength("lgaLocalities", index.lgaLocalities.length, index.lgas.length + 1)
  checkLength("localityContexts", index.localityContexts.length, localities)
  checkLength("localityNames", index.localityNames.length, localities + 1)
  checkLength("localityUnits", index.localityUnits.length, localities + 1)
  checkLength("nameContexts", index.nameContexts.length, names)
  checkLength("nameUnits", index.nameUnits.length, names)
  checkLength("textWordStarts", index.textWordStarts.length, texts + 1)
  checkLength("wordRarities", index.wordRarities.length, words)
  checkLength("nameRefStarts", index.nameRefStarts.length, words + 1)
  checkLength("localityRefStarts", index.localityRefStarts.length, words + 1)
  checkStarts("lgaLocalities", index.lgaLocalities, localities)
  checkStarts("localityNames", index.localityNames, names)
  checkStarts("localityUnits", index.localityUnits, units)
  checkStarts("textStarts", index.textStarts, index.textBytes.length)
  checkStarts("textWordStarts", index.textWordStarts, index.textWords.length)
  checkStarts("wordStarts", index.wordStarts, index.wordBytes.length)
  checkStarts("nameRefStarts", index.nameRefStarts, index.nameRefs.length)
  checkStarts("localityRefStarts", index.localityRefStarts, index.localityRefs.length)
  checkStarts("misspellingStarts", index.misspellingStarts, index.misspellings.length)
  checkBuckets(index.misspellingStarts.length - 1)
  checkBelow("lgas", index.lgas, maxLgas)
  checkBelow("localityTexts", index.localityTexts, texts)
  checkBelow("localityContexts", index.localityContexts, texts)
  checkBelow("nameTexts", index.nameTexts, texts)
  checkBelow("nameContexts", index.nameContexts, texts)
  checkBelow("units", index.units, units)
  checkBelow("textWords", index.textWords, words)
  checkBelow("nameRefs", index.nameRefs, names)
  checkBelow("localityRefs", index.localityRefs, localities)
  checkBelow("misspellings", index.misspellings, words)
  checkNameUnits(index)
  checkText("textBytes", index.textBytes, index.textStarts)
  checkText("wordBytes", index.wordBytes, index.wordStarts)
}

/** States and LGAs in one number. */
const maxLgas = 26 * 26 * 100

const refused = (section: string, expected: string) =>
  new InvalidSnapshot(`section addresses.${section}: expected ${expected}`)

const checkLength = (section: string, found: number, expected: number): void => {
  if (found !== expected) throw refused(section, `${expected} elements, found ${found}`)
}

const checkStarts = (section: string, starts: Uint32Array, end: number): void => {
  let last = 0
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at] as number
    if (start < last) throw refused(section, `element ${at} at or above the one before it`)
    last = start
  }
  if (starts[0] !== 0 || last !== end) throw refused(section, `elements from 0 to ${end}`)
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
