/** Values of `units.csv` as spreadsheets and databases write them, brought to the format of the directory. */
import { type AttributeName, attributeEntry, attributeNames } from "../../levels/UnitAttributes.ts"
import { parseDegrees } from "../space/parseDegrees.ts"
import { isWordForNothing } from "../text/isWordForNothing.ts"

/** A text without what spreadsheets put around it so that it stays text: `="007"`, blanks. */
export const cellText = (field: string): string => {
  const text = field.trim()
  return text.startsWith('="') && text.endsWith('"') && text.length > 2 ? text.slice(2, -1).trim() : text
}

/** A code or a number, which has neither an apostrophe before it nor invisible characters. */
export const cellValue = (field: string): string =>
  cellText(field)
    .replace(/\p{Cf}/gu, "")
    .replace(/^['’‘=]\s*/, "")
    .trim()

// Access writes -1 for yes.
const yes = new Set(["true", "yes", "y", "1", "-1", "t", "on", "active", "in use", "in service"])
const no = new Set(["false", "no", "n", "0", "f", "off", "retired", "inactive", "not in use", "out of service"])

/** The value of a field of `units.csv` as the directory has it. A value that is not understood stays as it is. */
export const mendedField = (name: string, field: string): string => {
  if (name === "lat" || name === "lon") return mendedDegrees(name, cellValue(field))
  if (name === "postcode") return cellValue(field)
  if (name === "status") return mendedWord(cellValue(field), "active", "retired")
  if (name === "replaced_by") return withoutMarker(cellValue(field))
  const isText = isAttribute(name) && attributeEntry(name).type === "text"
  if (isText) return withoutMarker(cellText(field))
  const value = withoutMarker(cellValue(field))
  return isAttribute(name) && attributeEntry(name).type === "flag" ? mendedWord(value, "true", "false") : value
}

const isAttribute = (name: string): name is AttributeName => (attributeNames as ReadonlyArray<string>).includes(name)

const mendedWord = (text: string, positive: string, negative: string): string => {
  const word = text.toLowerCase()
  return yes.has(word) ? positive : no.has(word) ? negative : text
}

const withoutMarker = (text: string): string => (isWordForNothing(text) ? "" : text)

/** Latitude and longitude of a text that has both: `6.59, 3.34`, or a point in WKT, which has the longitude first. */
const pairOf = (text: string): readonly [lat?: string, lon?: string] => {
  const [, x, y] = wktPoint.exec(text) ?? []
  if (x !== undefined && y !== undefined) return [y, x]
  if (/^0[01][0-9a-f]{40,72}$/i.test(text)) return pairOfBinary(text)
  const [, lat, lon] = decimalPair.exec(text) ?? []
  return lat === undefined || lon === undefined ? [] : [lat, lon]
}

/** A point as PostGIS writes it: byte order, type with flags, number of the reference system, longitude, latitude. */
const pairOfBinary = (hex: string): readonly [lat?: string, lon?: string] => {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const view = new DataView(bytes.buffer)
  const isLittle = bytes[0] === 1
  const type = view.getUint32(1, isLittle)
  const hasSystem = (type & 0x2000_0000) !== 0
  const start = hasSystem ? 9 : 5
  const isPoint = (type & 0xff) === 1 && bytes.length >= start + 16
  if (!isPoint || (hasSystem && view.getUint32(5, isLittle) !== 4326)) return []
  return [String(view.getFloat64(start + 8, isLittle)), String(view.getFloat64(start, isLittle))]
}

const decimalText = String.raw`[+-]?\d+(?:\.\d+)?`
const wktPoint = new RegExp(
  String.raw`^(?:SRID=4326;)?POINT\s*(?:Z|M|ZM)?\s*\(\s*(${decimalText})\s+(${decimalText})(?:\s+${decimalText})*\s*\)$`,
  "i"
)
/** Both with decimals: `6,59` is one number with a decimal comma. */
const decimalPair = /^([+-]?\d+\.\d+)\s*[,;\s]\s*([+-]?\d+\.\d+)$/

const mendedDegrees = (axis: "lat" | "lon", text: string): string => {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return text
  const [first, second] = pairOf(text)
  if (first !== undefined && second !== undefined) return mendedDegrees(axis, axis === "lat" ? first : second)
  const value = parseDegrees(text, axis)
  return Number.isFinite(value) ? value.toFixed(9).replace(/\.?0+$/, "") : text
}
