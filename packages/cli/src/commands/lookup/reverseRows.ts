/** Enriches rows that have a coordinate with the nearest unit. */
import type { DataOf, PostcodeClient } from "@postcode/client"
import { parseDecimal } from "@postcode/core/Decimal"
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
      return (fields) => {
        const item = {
          lat: parseDecimal(fields[latitude]?.trim() ?? ""),
          lng: parseDecimal(fields[longitude]?.trim() ?? "")
        }
        return Number.isFinite(item.lat) && Number.isFinite(item.lng)
          ? { item }
          : { reason: "expected a latitude and a longitude in degrees" }
      }
    },
    ask: async (points, { requestId, signal }) => {
      const body = { points, ...(max_distance_m !== undefined && { max_distance_m }) }
      const { data } = await client.reverseBatch(body, { requestId, signal })
      return { outcomes: data.results.map(outcomeOf), credits: undefined, listPrice: 0, notice: undefined }
    },
    mistake
  }
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
