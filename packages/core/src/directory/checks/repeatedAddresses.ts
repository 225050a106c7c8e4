/** Finds addresses that two active units have, and only one can have. */
import { hasBit } from "../codes/BitSet.ts"
import type { Directory } from "../Directory.ts"
import { type FileFacts, hasHouseNumber } from "./FileFacts.ts"
import type { Findings } from "./Finding.ts"
import { distance_km } from "./Middle.ts"
import type { Groups, Points } from "./UnitGroups.ts"

/** A building with many flats has one address. Two buildings this far apart have not. */
const minApart_km = 1
/** Two rows for one building without a house number, such as a school, have the same point. */
const maxSame_km = 0.002

/**
 * Many units without a house number have the address of their village. So they are compared only if they are at one point, and the others
 * only if they are not.
 */
export const repeatedAddresses = (
  directory: Directory,
  { activeBits, lats_e7, lons_e7 }: Points,
  lgas: Groups,
  { addressKeyOf }: FileFacts
): Findings => {
  const ids: Array<number> = []
  const others: Array<number> = []
  const apart_km = (id: number, other: number) => {
    const [lat, lon] = [(lats_e7[id] as number) / 1e7, (lons_e7[id] as number) / 1e7]
    return distance_km(lat, lon, (lats_e7[other] as number) / 1e7, (lons_e7[other] as number) / 1e7)
  }
  for (let lga = 0; lga < lgas.length - 1; lga++) {
    const known = new Map<number, number>()
    for (let id = lgas[lga] as number; id < (lgas[lga + 1] as number); id++) {
      const address = addressKeyOf(id)
      if (address === 0 || !hasBit(activeBits, id)) continue
      const hasNumber = hasHouseNumber(address)
      const key = hasNumber ? address : address + 2 ** 32 * pointKey(lats_e7[id] as number, lons_e7[id] as number)
      const other = known.get(key)
      if (other === undefined) known.set(key, id)
      else if (hasNumber ? apart_km(id, other) > minApart_km : apart_km(id, other) < maxSame_km) {
        ids.push(id)
        others.push(other)
      }
    }
  }
  return {
    kind: "repeated_address",
    ids,
    detail: (index) => {
      const other = others[index] as number
      return `the address of ${directory.postcodeAt(other)}, ${apart_km(ids[index] as number, other).toFixed(1)} km away`
    }
  }
}

/** A few bits of a point. Units with the same bits are compared. */
const pointKey = (lat_e7: number, lon_e7: number): number => (((lat_e7 * 31) ^ lon_e7) >>> 0) & 0xfffff
