/**
 * What a directory answers to whatever someone types: a postcode, the start of one, a name, an address, or a point. It needs
 * `@postcode/core` alone, so the program for Node and the page for browsers share it.
 */
import { type AddressAnswer, searchAddress } from "@postcode/core/AddressSearch"
import { complete } from "@postcode/core/Autocomplete"
import { type Coordinate, isCoordinate } from "@postcode/core/Coordinate"
import { parseDecimal } from "@postcode/core/Decimal"
import type { Directory, UnitStatus } from "@postcode/core/Directory"
import { display, type Postcode, parse, parsePartial, type SegmentName } from "@postcode/core/Postcode"
import { type Confidence, confidence, roundDistance, within } from "@postcode/core/ReverseGeocoder"

export type Answer =
  | { readonly kind: "postcode"; readonly unit: Unit }
  | { readonly kind: "point"; readonly coordinate: Coordinate; readonly units: ReadonlyArray<UnitNearby> }
  | Completion
  | { readonly kind: "address"; readonly answer: AddressAnswer }

export interface Completion {
  readonly kind: "completion"
  readonly segment: SegmentName
  readonly choices: ReadonlyArray<Choice>
}

export interface Unit {
  readonly postcode: Postcode
  readonly display: string
  readonly status: UnitStatus
  /** `Ikeja, Lagos`, as far as the directory has names. */
  readonly place: string
  /** Absent if there is no such unit. */
  readonly coordinate?: Coordinate
}

export interface UnitNearby extends Unit {
  readonly distance_m: number
  readonly confidence: Confidence
}

/** What could be typed next. */
export interface Choice {
  /** The partial postcode that it leads to: `LA-11`. */
  readonly code: string
  /** The name of its last segment, if it has one: `Ikeja`; `Surulere, Lagos` where there are several of this name. */
  readonly name: string | undefined
}

/** How far around a point is looked, and how many units are told at most. */
export const nearby = { radius_m: 2_000, limit: 5 } as const

/**
 * ```ts
 * search(directory, "12 allen avenue, ikeja") // { kind: "completion", segment: "lga", choices: [{ code: "LA-11", name: "Ikeja" }] }
 * search(directory, "la11b03pd01") // { kind: "postcode", unit: { postcode: "LA-11-B03-PD-01", status: "active", … } }
 * search(directory, "6.59838, 3.33979") // { kind: "point", units: [{ …, distance_m: 1.2, confidence: "high" }, …] }
 * search(directory, "12 allen avenue ikeja") // { kind: "address", answer: { code: "LA-11-…", precision: "unit", … } }
 * ```
 *
 * Addresses are found in a snapshot that was built with them.
 */
export const search = (directory: Directory, text: string): Answer => {
  const coordinate = coordinateIn(text)
  if (coordinate !== undefined) return { kind: "point", coordinate, units: unitsAround(directory, coordinate) }
  const parsed = parse(text)
  if (parsed.ok) return { kind: "postcode", unit: describe(directory, parsed.postcode) }
  const completion = choicesFor(directory, text)
  if (directory.addresses === undefined || parsePartial(text).ok) return completion
  const found = searchAddress(directory, text)
  const answer = { ...found, candidates: found.candidates.filter(({ probability }) => probability >= leastLikely) }
  return answer.code === null && completion.choices.length > 0 ? completion : { kind: "address", answer }
}

/** Less would be shown as 0 %. */
const leastLikely = 0.005

/** Latitude and longitude in degrees, with a comma or a space between. */
const coordinateIn = (text: string): Coordinate | undefined => {
  const numbers = text
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(parseDecimal)
  const coordinate = { lat: numbers[0] ?? Number.NaN, lon: numbers[1] ?? Number.NaN }
  return numbers.length === 2 && isCoordinate(coordinate) ? coordinate : undefined
}

const describe = (directory: Directory, postcode: Postcode): Unit => {
  const id = directory.find(postcode)
  const { lga_name, state_name } = directory.placeNames(postcode)
  return {
    postcode,
    display: display(postcode),
    status: directory.status(postcode),
    place: [lga_name, state_name].filter((name) => name !== undefined).join(", "),
    ...(id >= 0 && { coordinate: directory.coordinateAt(id) })
  }
}

const unitsAround = (directory: Directory, coordinate: Coordinate): ReadonlyArray<UnitNearby> =>
  within(directory, coordinate, nearby.radius_m, nearby.limit).map(({ distance_m, id }) => ({
    ...describe(directory, directory.postcodeAt(id)),
    distance_m: roundDistance(distance_m),
    confidence: confidence(distance_m)
  }))

/** The most choices that are offered at once. */
const mostChoices = 40

const choicesFor = (directory: Directory, text: string): Completion => {
  const { segment, suggestions } = complete(directory, text, mostChoices)
  const areApart = new Set(suggestions.map(({ within }) => within)).size > 1
  const choices = suggestions.map(({ code, label, prefix, within }) => {
    const name = areApart && within !== undefined ? `${label}, ${within}` : label
    return { code: prefix, name: label === code ? undefined : name }
  })
  return { kind: "completion", segment, choices }
}
