import type { Coordinate } from "@postcode/core/Coordinate"
import { completeOrCorrect } from "@postcode/core/search/completeOrCorrect"
import { defaultCandidates, findAddress } from "@postcode/core/search/findAddress"
import { nearby, reverse } from "@postcode/core/search/search"
import { Effect, Exit } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { defaultLimit } from "../page.ts"

/** Coordinates are `[lon, lat]` on the wire only. */
export const position = ({ lat, lon }: Coordinate) => [lon, lat] as const

/** A point as GeoJSON. */
export interface PointOnWire {
  readonly type: "Point"
  readonly coordinates: readonly [lon: number, lat: number]
}

export const toPoint = (coordinate: Coordinate): PointOnWire => ({ type: "Point", coordinates: position(coordinate) })

export const searchHandlers = Effect.gen(function* () {
  const findNearest = yield* reverse
  const findNearby = yield* nearby
  const find = yield* findAddress

  const handlers: GroupHandlers<"search"> = {
    autocomplete: ({ directory, query }) =>
      Exit.succeed({ data: completeOrCorrect(directory, query.q ?? "", query.limit ?? defaultLimit) }),
    reverse: ({ directory, principal, query: { lat, lng: lon, max_distance_m: radius_m } }) =>
      Effect.mapEager(findNearest({ directory, coordinate: { lat, lon }, radius_m, principal }), (result) => ({
        data: { ...result, coordinate: position(result.coordinate) }
      })),
    nearby: ({ directory, principal, query: { lat, limit, lng: lon, radius: radius_m } }) =>
      Effect.mapEager(
        findNearby({ directory, coordinate: { lat, lon }, radius_m, principal, limit: limit ?? defaultLimit }),
        (data) => ({ data })
      ),
    address: ({ directory, idempotency_key, principal, query: { limit, q }, request_id }) =>
      Effect.mapEager(
        find({ directory, text: q, limit: limit ?? defaultCandidates, principal, request_id, idempotency_key }),
        ({ answer, receipt }) => ({ data: answer, receipt })
      )
  }
  return handlers
})
