/** Points of GeoJSON as CSV text: a line for each feature, with its properties as columns, and `lat` and `lon`. */
import { csvLine, csvRow, foldName } from "@postcode/core/Csv"
import { CommandFailure } from "../process/ExitCode.ts"
import { FeatureReader } from "./FeatureReader.ts"

/** A file is read twice: first for the names of its properties, since each feature may have others. */
export type OpenFile = () => Promise<AsyncIterable<Buffer>>

const maxColumns = 500

/**
 * One line of the text is one feature; the header is line 1.
 *
 * @throws CommandFailure if it is no GeoJSON, or if a feature has no point
 */
export async function* geoJsonCsv(open: OpenFile): AsyncGenerator<Buffer> {
  const names = await propertyNames(open)
  yield Buffer.from(csvLine([...names, "lat", "lon"]))
  let text = ""
  const reader = new FeatureReader((json, line) => {
    text += rowOf(featureOf(json, line), names)
  })
  for await (const chunk of await open()) {
    reader.write(chunk)
    if (text !== "") yield Buffer.from(text)
    text = ""
  }
  reader.end()
  if (text !== "") yield Buffer.from(text)
}

const propertyNames = async (open: OpenFile): Promise<ReadonlyArray<string>> => {
  const names = new Set<string>()
  let features = 0
  const reader = new FeatureReader((json, line) => {
    features++
    for (const name of Object.keys(featureOf(json, line).properties)) if (!isCoordinate(name)) names.add(name)
    if (names.size > maxColumns) throw new CommandFailure(`its features have more than ${maxColumns} properties`)
  })
  for await (const chunk of await open()) reader.write(chunk)
  reader.end()
  if (features === 0)
    throw new CommandFailure("it has no feature: expected a FeatureCollection, or a feature on each line")
  return [...names]
}

/** The geometry has the location. A property of the same name would be a second one. */
const isCoordinate = (name: string): boolean => ["lat", "lon"].includes(foldName(name))

interface Feature {
  readonly properties: Readonly<Record<string, unknown>>
  /** Undefined if the feature has no geometry. */
  readonly lat: number | undefined
  readonly lon: number | undefined
}

const featureOf = (json: string, line: number): Feature => {
  const value = parsed(json, line)
  // Objects without a geometry, one on each line, as databases export rows.
  if (value.type === undefined && Object.values(value).some((text) => typeof text === "string"))
    return rowOfTable(value)
  if (value.type !== "Feature") throw refused(line, `a ${shown(value.type)}`)
  const { geometry, id } = value
  const properties = isObject(value.properties) ? flat(value.properties) : {}
  const named = id === undefined || "id" in properties ? properties : { id, ...properties }
  // A row without a location is a bad one; the others are read.
  if (geometry === null || geometry === undefined) return { properties: named, lat: undefined, lon: undefined }
  if (!isObject(geometry)) throw refused(line, "a feature without a geometry")
  const [lon, lat] = pointOf(geometry, line)
  if (typeof lon !== "number" || typeof lat !== "number")
    throw refused(line, "a point without coordinates that are numbers")
  return { properties: named, lat, lon }
}

/** The columns `lat` and `lon` are those of its own. */
const rowOfTable = (value: Readonly<Record<string, unknown>>): Feature => {
  const properties = flat(value)
  const degreesOf = (wanted: string) => {
    const name = Object.keys(properties).find((key) => foldName(key) === wanted)
    return name === undefined ? undefined : numberIn(properties[name])
  }
  const [lat, lon] = [degreesOf("lat"), degreesOf("lon")]
  return {
    properties,
    lat: typeof lat === "number" ? lat : undefined,
    lon: typeof lon === "number" ? lon : undefined
  }
}

/** A number, also one that is written as a text. */
const numberIn = (value: unknown): unknown =>
  typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value

/** Properties of properties, such as `unit/postcode`. */
const flat = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      isObject(inner)
        ? Object.entries(flat(inner)).map(([innerName, text]) => [`${name}/${innerName}`, text] as const)
        : [[name, inner] as const]
    )
  )

/** Programs for maps write points as a MultiPoint of one. */
const pointOf = ({ coordinates, type }: Readonly<Record<string, unknown>>, line: number): ReadonlyArray<unknown> => {
  const given = Array.isArray(coordinates) ? coordinates : []
  const [only, ...others] = given
  if (type === "Point") return given
  if (type === "MultiPoint" && Array.isArray(only) && others.length === 0) return only
  throw refused(line, `a ${shown(type)}`)
}

const parsed = (json: string, line: number): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return value
  } catch {
    // Told below.
  }
  throw new CommandFailure(`line ${line}: this is no JSON: expected a feature`)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const shown = (type: unknown): string =>
  typeof type === "string" && /^\w{1,30}$/.test(type) ? type : "value of no known type"

const refused = (line: number, what: string): CommandFailure =>
  new CommandFailure(
    `line ${line}: ${what}: expected features with a Point, whose coordinates are longitude and latitude`
  )

const rowOf = ({ lat, lon, properties }: Feature, names: ReadonlyArray<string>): string =>
  `${csvRow([...names.map((name) => textOf(properties[name])), decimal(lat), decimal(lon)])}\n`

/** A line break would move the numbers of lines. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  return text.replace(/[\r\n]+/g, " ")
}

const decimal = (value: number | undefined): string => {
  if (value === undefined) return ""
  const text = String(value)
  return text.includes("e") ? value.toFixed(9) : text
}
