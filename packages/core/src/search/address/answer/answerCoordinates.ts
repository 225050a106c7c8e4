/** The answer to a text that is a coordinate, or a link to a map with one: reverse geocoding. */
import type { Directory } from "../../../directory/Directory.ts"
import { type Coordinate, distance_m as distanceBetween_m, isCoordinate } from "../../../directory/space/Coordinate.ts"
import type { Postcode } from "../../../postcode/Postcode.ts"
import { confidence, nearest, roundDistance } from "../../ReverseGeocoder.ts"
import type { AddressAnswer } from "./AddressAnswer.ts"
import { noAnswer, partsOf } from "./partsOf.ts"

/** Undefined if the text has anything but a coordinate. */
export const answerCoordinates = (
  directory: Directory,
  text: string,
  finest: "lga" | "unit"
): AddressAnswer | undefined => {
  const coordinate = coordinateIn(text)
  return coordinate === undefined ? undefined : answerNear(directory, coordinate, finest)
}

/** A coordinate beside other words, and the text without it. */
export interface CoordinateInText {
  readonly coordinate: Coordinate
  readonly written: string
  readonly rest: string
}

/** Undefined if the text has no coordinate, and no link to a map with one. */
export const coordinateAmong = (text: string): CoordinateInText | undefined => {
  for (const found of text.matchAll(located)) {
    const written = found[0].replace(/[).,;]+$/, "")
    const coordinate = coordinateIn(written)
    if (coordinate === undefined) continue
    const rest = `${text.slice(0, found.index)},${text.slice(found.index + written.length)}`
    return { coordinate, written, rest }
  }
  return undefined
}

/**
 * The answer to a coordinate and to the address beside it. If both are known and differ, both are candidates: nobody can
 * tell which is right.
 */
export const answerWithCoordinate = (
  directory: Directory,
  { coordinate, written }: CoordinateInText,
  address: AddressAnswer | undefined
): AddressAnswer => {
  const near = answerNear(directory, coordinate, "unit")
  const known = address?.understood ?? near.understood
  const ignored = [...known.ignored, { kind: "coordinates" as const, text: written }]
  const unmatched = address?.code === null ? known.unmatched : []
  const ofCoordinate = {
    ...near,
    action: unmatched.length > 0 && near.action === "accept" ? ("confirm" as const) : near.action,
    understood: { ...near.understood, ignored, subpremise: known.subpremise, unmatched }
  }
  if (address === undefined || address.code === null) return ofCoordinate
  const ofAddress = { ...address, understood: { ...known, ignored } }
  if (near.code === null) return { ...ofAddress, action: address.action === "accept" ? "confirm" : address.action }
  const distance_m = address.precision === "unit" ? distanceTo(directory, address.code, coordinate) : undefined
  if (distance_m === undefined ? near.code.startsWith(address.code) : distance_m <= sameAddress_m) {
    return distance_m === undefined ? ofCoordinate : ofAddress
  }
  const candidates = [...address.candidates.slice(0, 1), ...near.candidates]
  return {
    ...ofAddress,
    code: null,
    precision: null,
    confidence: "low",
    action: "confirm",
    label: null,
    candidates: candidates.map((candidate) => ({ ...candidate, probability: 1 / candidates.length })),
    message: `the coordinates and the address differ: the coordinates are in ${near.label}, the address is ${address.label}`
  }
}

/** An address this near to a coordinate is the one that it means: a long plot, or a coordinate at the gate. */
const sameAddress_m = 1000

const distanceTo = (directory: Directory, code: string, coordinate: Coordinate): number | undefined => {
  const id = directory.find(code as Postcode)
  return id < 0 ? undefined : distanceBetween_m(coordinate, directory.coordinateAt(id))
}

const answerNear = (directory: Directory, coordinate: Coordinate, finest: "lga" | "unit"): AddressAnswer => {
  if (finest === "lga") {
    return {
      ...noAnswer,
      message: "these are coordinates, and no address: reverse geocoding finds their unit",
      limited_to: "lga"
    }
  }
  const hit = nearest(directory, coordinate, maxDistance_m)
  if (hit === undefined) {
    return { ...noAnswer, message: `these are coordinates: no active unit lies within ${maxDistance_m} m of them` }
  }
  const postcode = directory.postcodeAt(hit.id)
  const near = confidence(hit.distance_m)
  // Further away, another unit of the area may be the one.
  const isUnit = near !== "low"
  const code = isUnit ? postcode : postcode.slice(0, areaLength)
  const { label, understood } = partsOf(directory, postcode)
  return {
    code,
    precision: isUnit ? "unit" : "area",
    confidence: near,
    action: near === "high" ? "accept" : "confirm",
    label,
    understood,
    candidates: [{ code, precision: isUnit ? "unit" : "area", label, probability: 1 }],
    message: `these are coordinates: the nearest active unit is ${roundDistance(hit.distance_m)} m away`
  }
}

const maxDistance_m = 250
/** The length of `LA-11-B03-PD`. */
const areaLength = 12

const coordinateIn = (text: string): Coordinate | undefined => {
  for (const pattern of isLink.test(text) ? links : pairs) {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) continue
    const lat = degrees(groups, "lat")
    const lon = degrees(groups, "lng")
    return isCoordinate({ lat, lon }) ? { lat, lon } : undefined
  }
  return undefined
}

/** Decimal degrees from the groups `lat`, `lat_min`, `lat_s` and `lat_side`. */
const degrees = (groups: Readonly<Record<string, string | undefined>>, of: "lat" | "lng"): number => {
  const whole = Number(groups[of]) + Number(groups[`${of}_min`] ?? 0) / 60 + Number(groups[`${of}_s`] ?? 0) / 3600
  return /[sw]/i.test(groups[`${of}_side`] ?? "") ? -whole : whole
}

const isLink = /^(?:https?:\/\/|geo:|www\.)\S+$/i
const number = (name: string): string => `(?<${name}>-?\\d{1,3}(?:\\.\\d+)?)`
/** Of maps by Google, Apple, OpenStreetMap, and `geo:`. */
const links: ReadonlyArray<RegExp> = [
  `!3d${number("lat")}!4d${number("lng")}`,
  `[?&](?:q|query|ll|center|destination|daddr|sll)=(?:loc:)?${number("lat")}(?:,|%2C)(?:\\+|%20)?${number("lng")}`,
  `[?&]mlat=${number("lat")}&mlon=${number("lng")}`,
  `@${number("lat")},${number("lng")}`,
  `#map=\\d+/${number("lat")}/${number("lng")}`,
  `^geo:${number("lat")},${number("lng")}`
].map((source) => new RegExp(source, "i"))

/** A link, or two decimal numbers of three decimals and more. */
const located =
  /(?:https?:\/\/|geo:|www\.)\S+|(?<![\d.])(?:(?:gps|coordinates?|lat(?:itude)?)\s*[:=]?\s*)?-?\d{1,2}\.\d{3,}\s?°?\s?[ns]?\s?[,;/\s]\s?(?:l(?:ng|on)(?:gitude)?\s*[:=]?\s*)?-?\d{1,3}\.\d{3,}(?:\s?°\s?[ew]?)?(?![\d.])/gi
const label = "(?:gps|location|coordinates?|lat(?:itude)?)?\\s*[:=]?\\s*"
const decimal = (name: string): string => `(?<${name}>-?\\d{1,3}\\.\\d{2,})\\s*°?\\s*(?<${name}_side>[nsew])?`
const sexagesimal = (name: string, side: string): string =>
  `(?<${name}>\\d{1,3})\\s*°\\s*(?<${name}_min>\\d{1,2}(?:\\.\\d+)?)\\s*['′’]\\s*(?:(?<${name}_s>\\d{1,2}(?:\\.\\d+)?)\\s*(?:["″”]|''))?\\s*(?<${name}_side>[${side}])`
const pairs: ReadonlyArray<RegExp> = [
  `^\\(?${label}${decimal("lat")}\\s*[,;/\\s]\\s*(?:l(?:ng|on)(?:gitude)?\\s*[:=]?\\s*)?${decimal("lng")}\\)?[.,;]?$`,
  `^${sexagesimal("lat", "ns")}\\s*[,;]?\\s*${sexagesimal("lng", "ew")}[.,;]?$`
].map((source) => new RegExp(source, "i"))
