/**
 * Search by place in a widget session, which its price has paid for. States and LGAs have their names for every session,
 * as autocomplete shows them to everyone; what else is shown follows from the session's key.
 */

import { searchNamesLevel, shows } from "@postcode/core/AccessLevel"
import { clampNearbyRadius, within } from "@postcode/core/ReverseGeocoder"
import { Effect } from "effect"
import type { Units } from "../directory/Units.ts"
import type { SessionLimitReached, Unavailable } from "../Errors.ts"
import { type Principal, searchLevel } from "../keys/ApiKey.ts"
import { SessionUses, takeUse } from "../widget/sessions/SessionUses.ts"
import type { ActiveSession } from "../widget/sessions/WidgetSession.ts"
import {
  describeUnits,
  type FoundUnit,
  findNearest,
  type PlaceQuery,
  type ReverseResult,
  type Visible
} from "./search.ts"

/** Maximum radius of a nearby search in a session, in metres: the surroundings of a person, not a district. */
export const maxSessionRadius_m = 300

/** Maximum number of units of a nearby search in a session; also the default. */
export const maxSessionUnits = 20

type Refused = SessionLimitReached | Unavailable

/** The nearest active unit, as `reverse` finds it. Fails if the session has no queries left. */
export const reverseInSession: Effect.Effect<
  (session: ActiveSession, query: PlaceQuery) => Effect.Effect<ReverseResult, Refused>,
  never,
  SessionUses | Units
> = Effect.gen(function* () {
  const take = takeUse(yield* SessionUses)
  const find = yield* findNearest

  return (session, query) =>
    Effect.andThen(
      take(session, "unit"),
      Effect.suspend(() => find(query, visibleInSession(session.principal)))
    )
})

/** At most `limit` active units within the radius, nearest first. Fails if the session has no queries left. */
export const nearbyInSession: Effect.Effect<
  (
    session: ActiveSession,
    query: PlaceQuery & { readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<FoundUnit>, Refused>,
  never,
  SessionUses | Units
> = Effect.gen(function* () {
  const take = takeUse(yield* SessionUses)
  const describe = yield* describeUnits

  return (session, { coordinate, directory, limit, radius_m }) =>
    Effect.andThen(
      take(session, "unit"),
      Effect.suspend(() => {
        const applied_m = Math.min(clampNearbyRadius(radius_m), maxSessionRadius_m)
        const hits = within(directory, coordinate, applied_m, Math.min(limit, maxSessionUnits))
        return describe(directory, hits, visibleInSession(session.principal))
      })
    )
})

/** The parts of a found unit that sessions of a key see. */
export const visibleInSession = (principal: Principal): Visible => {
  const level = searchLevel(principal)
  const point = shows(level, "point_geometry")
  return { places: true, addresses: level >= searchNamesLevel, point, ...(!point && { limited_to: level }) }
}
