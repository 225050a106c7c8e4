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

const houseNumber = /^\W*(?:(?:no|plot|house|block|flat|suite)\b[\s.:#-]*)?\d/i

/** Whether the address of a key begins with a house number. */
export const hasHouseNumber = (key: number): boolean => (key & 1) === 1
