import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { lookupInSession } from "@postcode/gateway/lookup/lookupInSession"
import { defaultCandidates, findAddressInSession } from "@postcode/gateway/search/findAddress"
import type { FoundUnit } from "@postcode/gateway/search/search"
import { maxSessionUnits, nearbyInSession, reverseInSession } from "@postcode/gateway/search/searchInSession"
import { keepBookmarks } from "@postcode/gateway/widget/bookmarks/keepBookmarks"
import { listBookmarks } from "@postcode/gateway/widget/bookmarks/listBookmarks"
import { recordSelection } from "@postcode/gateway/widget/selections/recordSelection"
import { startSession } from "@postcode/gateway/widget/sessions/startSession"
import type { ActiveSession } from "@postcode/gateway/widget/sessions/WidgetSession"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { toWire } from "../lookup.ts"
import { type PointOnWire, position, toPoint } from "../search/search.ts"

/**
 * The contract requires a key or a widget session for each endpoint; see `Dispatch`.
 *
 * @param addressLimit widget sessions that an address may start a minute
 * @param mapStyle the operator's style for the map of widgets
 */
export const widgetHandlers = Effect.fnUntraced(function* (
  addressLimit: number | undefined,
  mapStyle: string | undefined
) {
  const start = yield* startSession(addressLimit)
  const bookmarksOf = yield* listBookmarks
  const record = yield* recordSelection
  const { remove, save } = yield* keepBookmarks
  const findIn = yield* findAddressInSession
  const lookUp = yield* lookupInSession
  const findNearest = yield* reverseInSession
  const findNearby = yield* nearbyInSession

  const handlers: GroupHandlers<"widget"> = {
    session: ({ address, idempotency_key, origin, payload, principal, request_id }) =>
      Effect.map(
        start({
          principal: principal as Principal,
          identifier: payload.identifier === undefined ? undefined : Redacted.make(payload.identifier),
          identifier_type: payload.identifier_type,
          proof: payload.proof === undefined ? undefined : Redacted.make(payload.proof),
          origin,
          address: address(),
          request_id,
          idempotency_key
        }),
        ({ expires_in_s, receipt, token }) => ({
          data: {
            token: Redacted.value(token),
            expires_in: expires_in_s,
            ...(mapStyle !== undefined && { map_style: mapStyle })
          },
          receipt
        })
      ),
    bookmarks: ({ session }) =>
      Effect.map(bookmarksOf(session as ActiveSession), (bookmarks) => ({ data: { bookmarks } })),
    saveBookmark: ({ payload, session }) => Effect.as(save(session as ActiveSession, payload), { data: payload }),
    removeBookmark: ({ query: { code }, session }) =>
      Effect.as(remove(session as ActiveSession, code), { data: { removed: true } }),
    address: ({ directory, query: { limit, q }, session }) =>
      Effect.map(
        findIn(session as ActiveSession, { directory, text: q, limit: limit ?? defaultCandidates }),
        (answer) => ({ data: answer })
      ),
    lookup: ({ directory, query: { code }, session }) =>
      Effect.map(lookUp(session as ActiveSession, { directory, code }), ({ level, result }) => ({
        data: toWire(result),
        level
      })),
    reverse: ({ directory, query: { lat, lng: lon, max_distance_m: radius_m }, session }) =>
      Effect.map(findNearest(session as ActiveSession, { directory, coordinate: { lat, lon }, radius_m }), (result) => {
        const coordinate = position(result.coordinate)
        return { data: result.found ? { ...result, coordinate, unit: toUnit(result.unit) } : { ...result, coordinate } }
      }),
    nearby: ({ directory, query: { lat, limit = maxSessionUnits, lng: lon, radius: radius_m }, session }) =>
      Effect.map(
        findNearby(session as ActiveSession, { directory, coordinate: { lat, lon }, radius_m, limit }),
        (units) => ({ data: { results: units.map(toUnit) } })
      ),
    selected: ({ payload, session }) =>
      Effect.as(record(session as ActiveSession, payload), { data: { recorded: true } })
  }
  return handlers
})

type UnitOnWire = Omit<FoundUnit, "point_geometry"> & { readonly point_geometry?: PointOnWire }

const toUnit = ({ point_geometry, ...unit }: FoundUnit): UnitOnWire =>
  point_geometry === undefined ? unit : { ...unit, point_geometry: toPoint(point_geometry) }
