/**
 * Looks a unit up in a widget session, which its price has paid for. The level follows from the session's key; states and
 * LGAs have their names at every level, as autocomplete shows them to everyone.
 */

import { type AccessLevel, sessionLookupLevel } from "@postcode/core/AccessLevel"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect, Exit, Result } from "effect"
import { Units } from "../directory/Units.ts"
import type { InsufficientScope, SessionLimitReached, Unavailable } from "../Errors.ts"
import { authorizeSessionLookup } from "../keys/ApiKey.ts"
import { SessionUses, takeUse } from "../widget/sessions/SessionUses.ts"
import type { ActiveSession } from "../widget/sessions/WidgetSession.ts"
import { type LookupResult, limitedTo, resultAt } from "./lookup.ts"

/** The unit to look up. */
export interface SessionLookup {
  /** The current directory. One value for the whole request, so that the answer is of one version. */
  readonly directory: Directory
  readonly code: Postcode
}

/** A unit, and the level served, see `authorizeSessionLookup`. */
export interface SessionLookupAnswer {
  readonly result: LookupResult
  readonly level: AccessLevel
}

/** A lookup counts as a lookup and as a unit query, whether or not the unit exists. */
export const lookupInSession: Effect.Effect<
  (
    session: ActiveSession,
    query: SessionLookup
  ) => Effect.Effect<SessionLookupAnswer, InsufficientScope | SessionLimitReached | Unavailable>,
  never,
  SessionUses | Units
> = Effect.gen(function* () {
  const take = takeUse(yield* SessionUses)
  const units = yield* Units

  const attributesOf = (
    { code, directory }: SessionLookup,
    level: AccessLevel
  ): Effect.Effect<UnitAttributes, Unavailable> =>
    level === 1 || directory.status(code) !== "active"
      ? Exit.succeed({})
      : Effect.map(units.attributes([code], directory), ([known = {}]) => known)

  return Effect.fnUntraced(function* (session, query) {
    const authorized = authorizeSessionLookup(session.principal)
    if (Result.isFailure(authorized)) return yield* authorized.failure
    const level = authorized.success
    yield* take(session, "lookup")
    yield* take(session, "unit")
    return {
      result: limitedTo(
        level,
        sessionLookupLevel,
        withPlaces(query, resultAt(query.directory, query.code, level, yield* attributesOf(query, level)))
      ),
      level
    }
  })
})

/** Adds the names of state and LGA where the level shows no administrative address. */
const withPlaces = ({ code, directory }: SessionLookup, result: LookupResult): LookupResult => {
  if (!result.valid || result.administrative_address !== undefined) return result
  const { lga_name, state_name } = directory.placeNames(code)
  return {
    ...result,
    administrative_address: {
      ...(state_name !== undefined && { state_name }),
      ...(lga_name !== undefined && { lga_name })
    }
  }
}
