/** The answer to a text that is a coordinate, or a link to a map with one: reverse geocoding. */
import type { Directory } from "../../../directory/Directory.ts"
import { type Coordinate, isCoordinate } from "../../../directory/space/Coordinate.ts"
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
  if (coordinate === undefined) return undefined
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

const label = "(?:gps|location|coordinates?|lat(?:itude)?)?\\s*[:=]?\\s*"
const decimal = (name: string): string => `(?<${name}>-?\\d{1,3}\\.\\d{2,})\\s*°?\\s*(?<${name}_side>[nsew])?`
const sexagesimal = (name: string, side: string): string =>
  `(?<${name}>\\d{1,3})\\s*°\\s*(?<${name}_min>\\d{1,2}(?:\\.\\d+)?)\\s*['′’]\\s*(?:(?<${name}_s>\\d{1,2}(?:\\.\\d+)?)\\s*(?:["″”]|''))?\\s*(?<${name}_side>[${side}])`
const pairs: ReadonlyArray<RegExp> = [
  `^\\(?${label}${decimal("lat")}\\s*[,;/\\s]\\s*(?:l(?:ng|on)(?:gitude)?\\s*[:=]?\\s*)?${decimal("lng")}\\)?[.,;]?$`,
  `^${sexagesimal("lat", "ns")}\\s*[,;]?\\s*${sexagesimal("lng", "ew")}[.,;]?$`
].map((source) => new RegExp(source, "i"))
