/**
 * What every writer of snapshots guarantees about the lengths in one. The builder of a directory cannot exceed these
 * limits, and a snapshot that exceeds them is refused at opening. This bounds the work of a search, also in a hostile
 * file. docs/snapshot.md has the same table.
 */

/** UTF-16 units of an address or a locality that are indexed. */
export const maxAddressUnits = 200
/** UTF-16 units of a word that are indexed. */
export const maxWordUnits = 32
/** A UTF-16 unit takes at most so many bytes in UTF-8. */
const bytesOfUnit = 3

/** Of a text: separators of its parts are `, ` at most, so it does not grow. */
export const maxTextBytes: number = bytesOfUnit * maxAddressUnits
/** Of a word. It has at least 1. */
export const maxWordBytes: number = bytesOfUnit * maxWordUnits
/** Words of a text that are indexed. */
export const maxWordsOfText = 24
/** Words in a bucket of misspellings; on average it has 3 to 6. Further words of a bucket are not found misspelled. */
export const maxBucketEntries = 128

/** States and LGAs; Nigeria has 811. */
export const maxPlaces = 4_096
/** Of the name of a place, and of a zone. */
export const maxPlaceNameBytes = 100
/** A byte takes at most six in JSON, `\u0001`; the code and the keys of a place take fewer than 64. */
export const maxPlacesBytes: number = maxPlaces * (2 * 6 * maxPlaceNameBytes + 64)

/** State and LGA as one number are below this. */
export const maxLgas: number = 26 * 26 * 100
