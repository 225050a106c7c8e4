/**
 * A Worker that completes texts and finds the units near a point, from a snapshot that is deployed with it. Paths,
 * parameters and responses are those of the service for callers without a key, so `@postcode/client` works with both.
 */
import { isCoordinate } from "@postcode/core/Coordinate"
import { completeOrCorrect } from "@postcode/core/Corrections"
import { parseDecimal } from "@postcode/core/Decimal"
import { Directory } from "@postcode/core/Directory"
import { display } from "@postcode/core/Postcode"
import { clampNearbyRadius, confidence, roundDistance, within } from "@postcode/core/ReverseGeocoder"
import snapshot from "./directory.snapshot"

// Once for all requests. The requests share this one copy of the bytes.
const directory = Directory.open(snapshot)

export default {
  fetch(request: Request): Response {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method !== "GET") return failure(405, "method_not_allowed", "expected GET")
    switch (pathname) {
      case "/v1/search/autocomplete":
        return autocomplete(searchParams)
      case "/v1/search/nearby":
        return nearby(searchParams)
      default:
        return failure(404, "not_found", "expected /v1/search/autocomplete or /v1/search/nearby")
    }
  }
}

const autocomplete = (query: URLSearchParams): Response => {
  const limit = limitIn(query)
  if (limit === undefined) return invalidLimit()
  return success(completeOrCorrect(directory, query.get("q") ?? "", limit))
}

const nearby = (query: URLSearchParams): Response => {
  const coordinate = { lat: numberIn(query, "lat") ?? Number.NaN, lon: numberIn(query, "lng") ?? Number.NaN }
  const radius_m = numberIn(query, "radius")
  const limit = limitIn(query)
  if (!isCoordinate(coordinate)) return failure(400, "invalid_parameter", "lat, lng: expected degrees of WGS 84")
  if (radius_m !== undefined && !(radius_m >= 0)) return failure(400, "invalid_parameter", "radius: expected metres")
  if (limit === undefined) return invalidLimit()
  const hits = within(directory, coordinate, clampNearbyRadius(radius_m), limit)
  return success(
    hits.map(({ distance_m, id }) => {
      const postcode = directory.postcodeAt(id)
      const rounded_m = roundDistance(distance_m)
      return { postcode, display: display(postcode), distance_m: rounded_m, confidence: confidence(rounded_m) }
    })
  )
}

/** `NaN` if it is not a number. */
const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  return text === null ? undefined : parseDecimal(text)
}

const limitIn = (query: URLSearchParams): number | undefined => {
  const limit = numberIn(query, "limit") ?? 20
  return Number.isInteger(limit) && limit >= 1 && limit <= 100 ? limit : undefined
}

const invalidLimit = () => failure(400, "invalid_parameter", "limit: expected a whole number from 1 to 100")

const success = (data: unknown): Response => Response.json({ data }, { headers })

const failure = (status: number, code: string, message: string): Response =>
  Response.json({ error: { code, message } }, { status, headers })

// Pages of every origin may call it.
const headers = { "access-control-allow-origin": "*" }
