import { mistakeInAddress, mistakeInPoint } from "@postcode/api"
import type { Coordinate } from "@postcode/core/Coordinate"
import { completeOrCorrect } from "@postcode/core/Corrections"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { defaultCandidates, findAddress, findAddresses } from "@postcode/gateway/search/findAddress"
import { nearby, type ReverseResult, reverse, reverseBatch } from "@postcode/gateway/search/search"
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
  const findAllNearest = yield* reverseBatch
  const find = yield* findAddress
  const findAll = yield* findAddresses

  const handlers: GroupHandlers<"search"> = {
    autocomplete: ({ directory, query }) =>
      Exit.succeed({ data: completeOrCorrect(directory, query.q ?? "", query.limit ?? defaultLimit) }),
    reverse: ({ directory, principal, query: { lat, lng: lon, max_distance_m: radius_m } }) =>
      Effect.mapEager(findNearest({ directory, coordinate: { lat, lon }, radius_m, principal }), (result) => ({
        data: onWire(result)
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
      ),
    reverseBatch: ({ directory, payload: { max_distance_m: radius_m, points }, principal }) => {
      const valid = points.filter((point) => mistakeInPoint(point) === undefined)
      const coordinates = valid.map(({ lat, lng: lon }) => ({ lat, lon }))
      return Effect.mapEager(findAllNearest({ directory, coordinates, radius_m, principal }), (found) => ({
        data: { results: itemsOf(points, (point) => point, mistakeInPoint, found.map(onWire)) }
      }))
    },
    addressBatch: ({ directory, idempotency_key, payload, principal, request_id }) =>
      Effect.mapEager(
        findAll({
          directory,
          texts: payload.queries.filter((text) => mistakeInAddress(text) === undefined),
          asked: payload.queries,
          limit: payload.limit ?? defaultCandidates,
          // The endpoint needs a secret key.
          principal: principal as Principal,
          request_id,
          idempotency_key
        }),
        ({ answers, receipt }) => ({
          data: { results: itemsOf(payload.queries, (q) => ({ q }), mistakeInAddress, answers) },
          receipt
        })
      )
  }
  return handlers
})

const onWire = (result: ReverseResult) => ({ ...result, coordinate: position(result.coordinate) })

/**
 * The items of a batch in order, each with its result or its mistake.
 *
 * @param results those of the items without a mistake
 */
const itemsOf = <Item, Shown extends object, Result>(
  items: ReadonlyArray<Item>,
  show: (item: Item) => Shown,
  mistakeIn: (item: Item) => string | undefined,
  results: ReadonlyArray<Result>
) => {
  const next = results[Symbol.iterator]()
  return items.map((item) => {
    const message = mistakeIn(item)
    return message === undefined
      ? { ...show(item), result: next.next().value as Result }
      : { ...show(item), error: { code: "invalid_parameter" as const, message } }
  })
}
