/** The places of a snapshot: a JSON array of objects with `code`, `name` and, for some states, `zone`. */

import type { PartialPostcode } from "../../postcode/Postcode.ts"
import { decodeUtf8, encodeUtf8 } from "../csv/TextCoding.ts"
import type { Place } from "../places/Place.ts"
import { placeFault } from "../places/placeFault.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/**
 * A limit, because parsed JSON can use twenty times the memory of its text. There are at most 68,276 places, with about
 * 40 bytes each.
 */
const maxPlacesBytes = 8 * 2 ** 20

/** @throws RangeError if the places are larger than `maxPlacesBytes` */
export const encodePlaces = (places: ReadonlyArray<Place>): Uint8Array => {
  const rows = places.map(({ code, name, zone }) => (zone === undefined ? { code, name } : { code, name, zone }))
  const bytes = encodeUtf8(JSON.stringify(rows))
  if (bytes.length <= maxPlacesBytes) return bytes
  throw new RangeError(`places: expected at most ${maxPlacesBytes} bytes of JSON, found ${bytes.length}`)
}

/** @throws InvalidSnapshot unless they are well-formed, distinct places in code order */
export const decodePlaces = (bytes: Uint8Array): ReadonlyArray<Place> => {
  if (bytes.length > maxPlacesBytes) {
    throw new InvalidSnapshot(`section places: expected at most ${maxPlacesBytes} bytes, found ${bytes.length}`)
  }
  const places: Array<Place> = []
  const known = new Set<string>()
  for (const value of arrayIn(bytes)) {
    const place = asPlace(value)
    const fault = place === undefined ? "expected code, name and, for a state, zone" : placeFault(place, known)
    if (place === undefined || fault !== undefined) throw refusal(places.length, fault)
    const last = places.at(-1)
    if (last !== undefined && place.code < last.code) throw refusal(places.length, "code: expected code order")
    known.add(place.code)
    places.push(place)
  }
  return places
}

const refusal = (index: number, reason: string | undefined) =>
  new InvalidSnapshot(`section places: place ${index}: ${reason}`)

const arrayIn = (bytes: Uint8Array): ReadonlyArray<unknown> => {
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(bytes))
  } catch {
    // Not UTF-8 or not JSON.
  }
  if (Array.isArray(value)) return value
  throw new InvalidSnapshot("section places: expected a JSON array in UTF-8")
}

const asPlace = (value: unknown): Place | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const { code, name, zone, ...others } = value as Readonly<Record<string, unknown>>
  if (typeof code !== "string" || typeof name !== "string" || Object.keys(others).length > 0) return undefined
  if (zone === undefined) return { code: code as PartialPostcode, name }
  return typeof zone === "string" ? { code: code as PartialPostcode, name, zone } : undefined
}
