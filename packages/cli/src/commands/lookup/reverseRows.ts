/** Enriches rows that have a coordinate with the nearest unit. */
import type { DataOf, PostcodeClient } from "@postcode/client"
import { isLatitude, isLongitude, isNullIsland } from "@postcode/core/Coordinate"
import { cellText, isWordForNothing, parseDegrees } from "@postcode/core/Csv"
import { columnOf } from "../postcode/CsvColumns.ts"
import type { Enrichment, Outcome } from "./Enrichment.ts"

type BatchItem = DataOf<"POST /v1/search/reverse/batch">["results"][number]

interface Coordinate {
  readonly lat: number
  readonly lng: number
}

interface ReverseOptions {
  /** Without retries of its own. */
  readonly client: PostcodeClient
  /** The columns as the user named them. */
  readonly lat: string
  readonly lng: string
  readonly max_distance_m: number | undefined
}

export const reverseRows = ({ client, lat, lng, max_distance_m }: ReverseOptions): Enrichment<Coordinate> => {
  return {
    columns: [
      "status",
      "postcode",
      "distance_m",
      "confidence",
      "state_name",
      "lga_name",
      "locality_name",
      "address",
      "reason"
    ],
    statuses: ["found", "not_found", "malformed"],
    start: (first, noHeader) => {
      const [latitude, longitude] = [columnOf(first, noHeader, lat, "--lat"), columnOf(first, noHeader, lng, "--lng")]
      const nameOf = (column: number) => (noHeader ? `column ${column + 1}` : (first[column]?.trim() ?? ""))
      const cellOf = (fields: ReadonlyArray<string>, column: number) => ({
        name: nameOf(column),
        text: fields[column] ?? ""
      })
      return { read: (fields) => read(cellOf(fields, latitude), cellOf(fields, longitude)), key: latitude }
    },
    price: undefined,
    distinct: (points) => points.length,
    ask: async (points, { requestId, signal }) => {
      const body = { points, ...(max_distance_m !== undefined && { max_distance_m }) }
      const { data } = await client.reverseBatch(body, { requestId, signal })
      return { outcomes: data.results.map(outcomeOf), credits: undefined, listPrice: 0, notice: undefined }
    },
    mistake
  }
}

interface Cell {
  /** The name of its column. */
  readonly name: string
  readonly text: string
}

/** The coordinate of a row, or what is wrong with which column. */
const read = (latitude: Cell, longitude: Cell) => {
  const empty = [latitude, longitude].filter(({ text }) => cellText(text) === "" || isWordForNothing(cellText(text)))
  if (empty.length > 0)
    return { reason: `there is no coordinate: ${empty.map(({ name }) => name).join(" and ")}: no value` }
  const lat = parseDegrees(cellText(latitude.text), "lat")
  const lng = parseDegrees(cellText(longitude.text), "lon")
  if (!isLatitude(lat)) return { reason: `${latitude.name}: expected a latitude in degrees, from -90 to 90` }
  if (!isLongitude(lng)) return { reason: `${longitude.name}: expected a longitude in degrees, from -180 to 180` }
  if (isNullIsland({ lat, lon: lng }))
    return { reason: "latitude 0 and longitude 0 are in the open sea: there is no location" }
  return { item: { lat, lng } }
}

const outcomeOf = (item: BatchItem): Outcome => {
  if ("error" in item) return mistake(item.error.message)
  const { result } = item
  if (!result.found) return { status: "not_found", fields: ["not_found", ...empty, result.message] }
  const {
    address = "",
    confidence,
    distance_m,
    lga_name = "",
    locality_name = "",
    postcode,
    state_name = ""
  } = result.unit
  const names = [state_name, lga_name, locality_name, address]
  return { status: "found", fields: ["found", postcode, distance_m, confidence, ...names, ""] }
}

/** The columns between status and reason. */
const empty = ["", "", "", "", "", "", ""]

const mistake = (reason: string): Outcome => ({ status: "malformed", fields: ["malformed", ...empty, reason] })
