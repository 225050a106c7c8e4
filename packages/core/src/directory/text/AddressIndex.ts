/**
 * What the units of an edition are called: an index of their names, streets and localities by words, in typed arrays.
 *
 * Units are grouped by local government area, locality and name, so that a state, an LGA or a locality is one range of
 * names, and one of units. A name is a street, a school, a hospital; units of a locality without a name are known by
 * the locality alone and come first in its range. On a street the units are in the order of their house numbers.
 */

export interface AddressIndex {
  /** State and LGA in one number, ascending. */
  readonly lgas: Uint32Array
  /** The first locality of each LGA, and the end of the last. The other starts are of the same kind. */
  readonly lgaLocalities: Uint32Array
  readonly localityTexts: Uint32Array
  /** The context, as of names, of the locality's units without a name; of the first, if there are several. */
  readonly localityContexts: Uint32Array
  readonly localityNames: Uint32Array
  readonly localityUnits: Uint32Array
  readonly nameTexts: Uint32Array
  /** The text between name or locality and LGA: mostly a ward. Text 0 is empty. */
  readonly nameContexts: Uint32Array
  /** The first unit of each name. It ends where the next name of its locality starts, or the locality ends. */
  readonly nameUnits: Uint32Array
  /** The id in the edition. */
  readonly units: Uint32Array
  /** House numbers, see `HouseNumber`; empty if no unit has one. */
  readonly numbers: Uint32Array
  /** Distinct texts in UTF-8. */
  readonly textBytes: Uint8Array
  readonly textStarts: Uint32Array
  /** The words of each text. */
  readonly textWordStarts: Uint32Array
  readonly textWords: Uint32Array
  /** Distinct words in UTF-8, in the order of their bytes. */
  readonly wordBytes: Uint8Array
  readonly wordStarts: Uint32Array
  /** −16 ln of the share of texts with the word, at most 255. */
  readonly wordRarities: Uint8Array
  /** The names that contain each word, ascending. */
  readonly nameRefStarts: Uint32Array
  readonly nameRefs: Uint32Array
  /** The same of localities. */
  readonly localityRefStarts: Uint32Array
  readonly localityRefs: Uint32Array
  /** Words by the hash of themselves and of all that one character less leaves of them. See `Misspellings`. */
  readonly misspellingStarts: Uint32Array
  readonly misspellings: Uint32Array
}

/** The end of a name's units. */
export const nameEnd = (index: AddressIndex, name: number, locality: number): number =>
  name + 1 < (index.localityNames[locality + 1] as number)
    ? (index.nameUnits[name + 1] as number)
    : (index.localityUnits[locality + 1] as number)

/** The first position in `start` (inclusive) to `end` (exclusive) with at least the given value. */
export const firstAtLeast = (values: Uint32Array, start: number, end: number, value: number): number => {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
