/** The places of a snapshot: a JSON array of objects with `code`, `name` and, for some states, `zone`. */

import type { PartialPostcode } from "../../postcode/Postcode.ts"
import { decodeUtf8, encodeUtf8 } from "../csv/TextCoding.ts"
import type { Place } from "../places/Place.ts"
import { placeFault } from "../places/placeFault.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"
import { maxPlaces, maxPlacesBytes } from "./SnapshotLimits.ts"

/** No places of a directory are larger than `maxPlacesBytes`. */
export const encodePlaces = (places: ReadonlyArray<Place>): Uint8Array => {
  const rows = places.map(({ code, name, zone }) => (zone === undefined ? { code, name } : { code, name, zone }))
  return encodeUtf8(JSON.stringify(rows))
}

/** @throws InvalidSnapshot unless they are well-formed, distinct places in code order */
export const decodePlaces = (bytes: Uint8Array): ReadonlyArray<Place> => {
  if (bytes.length > maxPlacesBytes) {
    throw new InvalidSnapshot(`section places: expected at most ${maxPlacesBytes} bytes, found ${bytes.length}`)
  }
  const values = arrayIn(bytes)
  if (values.length > maxPlaces) {
    throw new InvalidSnapshot(`section places: expected at most ${maxPlaces} places, found ${values.length}`)
  }
  const places: Array<Place> = []
  const known = new Set<string>()
  for (const value of values) {
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
  if (!isFlat(bytes)) throw new InvalidSnapshot("section places: expected objects of texts in one array")
  let value: unknown
  try {
    value = JSON.parse(decodeUtf8(bytes))
  } catch {
    // Not UTF-8 or not JSON.
  }
  if (Array.isArray(value)) return value
  throw new InvalidSnapshot("section places: expected a JSON array in UTF-8")
}

/** Whether brackets are at most two deep. Parsing deep ones takes seconds and a stack of megabytes. */
const isFlat = (bytes: Uint8Array): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) isText = !isText
    else if (byte === backslash) at++
    else if (isText) continue
    else if (byte === 0x5b || byte === 0x7b) depth++
    else if (byte === 0x5d || byte === 0x7d) depth--
    if (depth > 2) return false
  }
  return true
}

const quote = 0x22
const backslash = 0x5c

const asPlace = (value: unknown): Place | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const { code, name, zone, ...others } = value as Readonly<Record<string, unknown>>
  if (typeof code !== "string" || typeof name !== "string" || Object.keys(others).length > 0) return undefined
  if (zone === undefined) return { code: code as PartialPostcode, name }
  return typeof zone === "string" ? { code: code as PartialPostcode, name, zone } : undefined
}
