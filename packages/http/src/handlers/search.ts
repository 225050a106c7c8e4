import { complete } from "@postcode/core/Autocomplete"
import type { Coordinate } from "@postcode/core/Coordinate"
import { nearby, reverse } from "@postcode/core/operations/search"
import { CurrentDirectory } from "@postcode/core/ports/CurrentDirectory"
import { Effect, Exit } from "effect"
import type { GroupHandlers } from "../Handler.ts"
import { defaultLimit } from "./page.ts"

/** Coordinates are `[lon, lat]` on the wire, and nowhere else. */
export const position = ({ lat, lon }: Coordinate) => [lon, lat] as const

export const searchHandlers = Effect.gen(function* () {
  const current = yield* CurrentDirectory
  const findNearest = yield* reverse
  const findNearby = yield* nearby

  const handlers: GroupHandlers<"search"> = {
    autocomplete: ({ query }) =>
      Exit.succeed({ data: complete(current.get(), query.q ?? "", query.limit ?? defaultLimit) }),
    reverse: ({ principal, query: { lat, lon, radius_m } }) =>
      Effect.map(findNearest({ coordinate: { lat, lon }, radius_m, principal }), (result) => ({
        data: { ...result, coordinate: position(result.coordinate) }
      })),
    nearby: ({ principal, query: { lat, limit, lon, radius_m } }) =>
      Effect.map(
        findNearby({ coordinate: { lat, lon }, radius_m, principal, limit: limit ?? defaultLimit }),
        (result) => ({ data: { ...result, coordinate: position(result.coordinate) } })
      )
  }
  return handlers
})
