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
  const firsts = new FirstUnits()
  for (let lga = 0; lga < lgas.length - 1; lga++) {
    const end = lgas[lga + 1] as number
    firsts.clear(end - (lgas[lga] as number))
    for (let id = lgas[lga] as number; id < end; id++) {
      const address = addressKeyOf(id)
      if (address === 0 || !hasBit(activeBits, id)) continue
      const hasNumber = hasHouseNumber(address)
      const other = firsts.of(id, address, hasNumber ? 0 : pointKey(lats_e7[id] as number, lons_e7[id] as number))
      if (other === id) continue
      if (hasNumber ? apart_km(id, other) > minApart_km : apart_km(id, other) < maxSame_km) {
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

/** The first unit with an address and a point. Open addressing is faster than a `Map` of numbers. */
class FirstUnits {
  private ids = new Int32Array(0)
  private addresses = new Uint32Array(0)
  private points = new Uint32Array(0)
  /** The last index. */
  private mask = 0

  clear(units: number): void {
    const slots = 2 ** Math.ceil(Math.log2(2 * units + 1))
    this.mask = slots - 1
    if (slots > this.ids.length) {
      this.ids = new Int32Array(slots)
      this.addresses = new Uint32Array(slots)
      this.points = new Uint32Array(slots)
    }
    this.ids.fill(none, 0, slots)
  }

  /** Adds the unit if it is the first. */
  of(id: number, address: number, point: number): number {
    const { addresses, ids, mask, points } = this
    const hash = Math.imul(address ^ Math.imul(point, 0x85ebca6b), 0x9e3779b1)
    let slot = (hash ^ (hash >>> 15)) & mask
    while (ids[slot] !== none && (addresses[slot] !== address || points[slot] !== point)) slot = (slot + 1) & mask
    if (ids[slot] === none) {
      ids[slot] = id
      addresses[slot] = address
      points[slot] = point
    }
    return ids[slot] as number
  }
}

const none = -1

/** A few bits of a point. Units with the same bits are compared. */
const pointKey = (lat_e7: number, lon_e7: number): number => (((lat_e7 * 31) ^ lon_e7) >>> 0) & 0xfffff
