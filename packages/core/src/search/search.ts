/**
 * Search by place: the nearest active unit, and the units near a point. Free, from memory; the store is queried only
 * for names that the key may see. If the store is unavailable, its names are omitted.
 */
import { Effect, Exit, Result } from "effect"
import type { Directory } from "../directory/Directory.ts"
import type { Coordinate } from "../directory/space/Coordinate.ts"
import {
  type Confidence,
  clampNearbyRadius,
  clampReverseRadius,
  confidence,
  type Hit,
  nearest,
  roundDistance,
  within
} from "../directory/space/ReverseGeocoder.ts"
import type { UnitAttributes } from "../directory/UnitAttributes.ts"
import { Units } from "../directory/Units.ts"
import { type Principal, seesNames } from "../keys/ApiKey.ts"
import { display, type PartialPostcode, type Postcode, prefix } from "../postcode/Postcode.ts"

/** A unit in search results. Names and address only if known and visible to the key. */
export interface FoundUnit {
  readonly postcode: Postcode
  readonly display: string
  /** Metres, to 0.1. */
  readonly distance_m: number
  readonly confidence: Confidence
  readonly state_name?: string
  readonly lga_name?: string
  readonly locality_name?: string
  readonly address?: string
}

/** The nearest unit and its branches, or the reason why there is none. */
export type ReverseResult =
  | { readonly found: false; readonly coordinate: Coordinate; readonly message: string; readonly radius_m: number }
  | {
      readonly found: true
      readonly coordinate: Coordinate
      readonly unit: FoundUnit
      readonly area: PartialPostcode
      readonly district: PartialPostcode
      readonly state: PartialPostcode
      readonly message: string
      /** The radius applied, after clamping. */
      readonly radius_m: number
    }

/** Where to search, and the caller. */
export interface SearchRequest {
  /** The current directory. One value for the whole request, so that the answer is of one version. */
  readonly directory: Directory
  readonly coordinate: Coordinate
  /** Metres, not negative; absent for the default. Clamped to the endpoint's maximum. */
  readonly radius_m: number | undefined
  readonly principal: Principal | undefined
}

/** The nearest active unit within the radius. Ties are resolved in code order. */
export const reverse: Effect.Effect<(request: SearchRequest) => Effect.Effect<ReverseResult>, never, Units> =
  Effect.gen(function* () {
    const describe = describeUnits(yield* Units)

    return ({ coordinate, directory, principal, radius_m }) => {
      const applied_m = clampReverseRadius(radius_m)
      const hit = nearest(directory, coordinate, applied_m)
      if (hit === undefined) {
        const message = `no active unit lies within ${applied_m} m`
        return Exit.succeed({ found: false, coordinate, message, radius_m: applied_m })
      }
      return Effect.mapEager(describe(directory, [hit], principal), ([unit]) => {
        const found = unit as FoundUnit
        return {
          found: true,
          coordinate,
          unit: found,
          area: prefix(found.postcode, "area"),
          district: prefix(found.postcode, "district"),
          state: prefix(found.postcode, "state"),
          message: `the nearest active unit is ${found.distance_m} m away`,
          radius_m: applied_m
        }
      })
    }
  })

/** At most `limit` active units within the radius, nearest first. Ties are resolved in code order. */
export const nearby: Effect.Effect<
  (request: SearchRequest & { readonly limit: number }) => Effect.Effect<ReadonlyArray<FoundUnit>>,
  never,
  Units
> = Effect.gen(function* () {
  const describe = describeUnits(yield* Units)

  return ({ coordinate, directory, limit, principal, radius_m }) =>
    describe(directory, within(directory, coordinate, clampNearbyRadius(radius_m), limit), principal)
})

const describeUnits =
  (units: Units["Service"]) =>
  (
    directory: Directory,
    hits: ReadonlyArray<Hit>,
    principal: Principal | undefined
  ): Effect.Effect<ReadonlyArray<FoundUnit>> => {
    const found = hits.map((hit) => bareUnit(directory, hit))
    if (found.length === 0 || !seesNames(principal)) return Exit.succeed(found)
    const known = units.attributes(
      found.map((unit) => unit.postcode),
      directory.version
    )
    return Effect.mapEager(Effect.result(known), (answered) => {
      const attributes = Result.getOrElse(answered, () => nothingKnown)
      return found.map((unit, i) => withNames(directory, unit, attributes[i] ?? {}))
    })
  }

const nothingKnown: ReadonlyArray<UnitAttributes> = []

const bareUnit = (directory: Directory, hit: Hit): FoundUnit => {
  const postcode = directory.postcodeAt(hit.id)
  const distance_m = roundDistance(hit.distance_m)
  return { postcode, display: display(postcode), distance_m, confidence: confidence(distance_m) }
}

const withNames = (directory: Directory, unit: FoundUnit, known: UnitAttributes): FoundUnit => {
  const { lga_name, state_name } = directory.placeNames(unit.postcode)
  const { locality_name, recent_address } = known
  // Assigning keys one by one takes half the time of object spread, which matters for many units.
  const named: { -readonly [Key in keyof FoundUnit]: FoundUnit[Key] } = { ...unit }
  if (state_name !== undefined) named.state_name = state_name
  if (lga_name !== undefined) named.lga_name = lga_name
  if (locality_name !== undefined) named.locality_name = locality_name
  if (recent_address !== undefined) named.address = recent_address
  return named
}
