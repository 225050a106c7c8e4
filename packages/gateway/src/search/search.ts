/**
 * Search by place: the nearest active unit, and the units near a point. From memory; the store is queried only for names
 * that the caller may see. If the store is unavailable, its names are omitted.
 */

import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Coordinate } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { display, type PartialPostcode, type Postcode, prefix } from "@postcode/core/Postcode"
import {
  type Confidence,
  clampNearbyRadius,
  clampReverseRadius,
  confidence,
  type Hit,
  nearest,
  roundDistance,
  within
} from "@postcode/core/ReverseGeocoder"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect, Exit, Result } from "effect"
import { Units } from "../directory/Units.ts"
import { type Principal, seesNames } from "../keys/ApiKey.ts"

/** A unit in search results. Names, address and point only if known and visible to the caller. */
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
  readonly point_geometry?: Coordinate
  /** The level that the unit is shown at, if a caller with a higher level would see more of it. */
  readonly limited_to?: AccessLevel
}

/** The data of a unit that a caller gets in addition to its code and distance. */
export interface Visible {
  /** The names of state and LGA. */
  readonly places: boolean
  /** Locality and address. */
  readonly addresses: boolean
  readonly point: boolean
  /** The caller's level, if a higher one would see more. */
  readonly limited_to?: AccessLevel
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
      /** What was found. Clients of the published gateway read it; this service finds units only. */
      readonly depth: "unit"
      readonly message: string
      /** The radius applied, after clamping. */
      readonly radius_m: number
    }

/** The point and the radius of a search. */
export interface PlaceQuery {
  /** The current directory. One value for the whole request, so that the answer is of one version. */
  readonly directory: Directory
  readonly coordinate: Coordinate
  /** Metres, not negative; absent for the default. Clamped to the endpoint's maximum. */
  readonly radius_m: number | undefined
}

/** The point and the radius of a search, and the caller. */
export interface SearchRequest extends PlaceQuery {
  readonly principal: Principal | undefined
}

/** The nearest active unit within the radius. Ties are resolved in code order. Free. */
export const reverse: Effect.Effect<(request: SearchRequest) => Effect.Effect<ReverseResult>, never, Units> =
  Effect.gen(function* () {
    const find = yield* findNearest
    return (request) => find(request, visibleTo(request.principal))
  })

/** The nearest active unit, for a caller that sees `visible` of it. */
export const findNearest: Effect.Effect<
  (query: PlaceQuery, visible: Visible) => Effect.Effect<ReverseResult>,
  never,
  Units
> = Effect.gen(function* () {
  const describe = yield* describeUnits

  return ({ coordinate, directory, radius_m }, visible) => {
    const applied_m = clampReverseRadius(radius_m)
    const hit = nearest(directory, coordinate, applied_m)
    if (hit === undefined) return Exit.succeed(reverseResult(coordinate, applied_m, undefined))
    return Effect.mapEager(describe(directory, [hit], visible), ([unit]) => reverseResult(coordinate, applied_m, unit))
  }
})

/** The nearest active units of several points, in their order. The store is queried once. Free. */
export const reverseBatch: Effect.Effect<
  (
    request: Omit<SearchRequest, "coordinate"> & { readonly coordinates: ReadonlyArray<Coordinate> }
  ) => Effect.Effect<ReadonlyArray<ReverseResult>>,
  never,
  Units
> = Effect.gen(function* () {
  const describe = yield* describeUnits

  return ({ coordinates, directory, principal, radius_m }) => {
    const applied_m = clampReverseRadius(radius_m)
    const hits = coordinates.map((coordinate) => nearest(directory, coordinate, applied_m))
    const found = hits.filter((hit) => hit !== undefined)
    return Effect.mapEager(describe(directory, found, visibleTo(principal)), (units) => {
      const next = units[Symbol.iterator]()
      return coordinates.map((coordinate, i) =>
        reverseResult(coordinate, applied_m, hits[i] === undefined ? undefined : next.next().value)
      )
    })
  }
})

/** At most `limit` active units within the radius, nearest first. Ties are resolved in code order. */
export const nearby: Effect.Effect<
  (request: SearchRequest & { readonly limit: number }) => Effect.Effect<ReadonlyArray<FoundUnit>>,
  never,
  Units
> = Effect.gen(function* () {
  const describe = yield* describeUnits

  return ({ coordinate, directory, limit, principal, radius_m }) =>
    describe(directory, within(directory, coordinate, clampNearbyRadius(radius_m), limit), visibleTo(principal))
})

const reverseResult = (coordinate: Coordinate, radius_m: number, unit: FoundUnit | undefined): ReverseResult =>
  unit === undefined
    ? { found: false, coordinate, message: `no active unit lies within ${radius_m} m`, radius_m }
    : {
        found: true,
        coordinate,
        unit,
        area: prefix(unit.postcode, "area"),
        district: prefix(unit.postcode, "district"),
        state: prefix(unit.postcode, "state"),
        depth: "unit",
        message: `the nearest active unit is ${unit.distance_m} m away`,
        radius_m
      }

/** A key sees all names or none, and no points. */
const visibleTo = (principal: Principal | undefined): Visible => (seesNames(principal) ? allNames : nothing)

const allNames: Visible = { places: true, addresses: true, point: false }
const nothing: Visible = { places: false, addresses: false, point: false, limited_to: 1 }

/** The found units, for a caller that sees `visible` of them. */
export const describeUnits: Effect.Effect<
  (directory: Directory, hits: ReadonlyArray<Hit>, visible: Visible) => Effect.Effect<ReadonlyArray<FoundUnit>>,
  never,
  Units
> = Effect.map(Units, (units) => (directory, hits, visible) => {
  const found = hits.map((hit) => foundUnit(directory, hit, visible))
  if (found.length === 0 || !visible.addresses) return Exit.succeed(found)
  const known = units.attributes(
    found.map((unit) => unit.postcode),
    directory
  )
  return Effect.mapEager(Effect.result(known), (answered) => {
    const attributes = Result.getOrElse(answered, () => nothingKnown)
    return found.map((unit, i) => withAddress(unit, attributes[i] ?? {}))
  })
})

const nothingKnown: ReadonlyArray<UnitAttributes> = []

// Assigning keys one by one takes half the time of object spread, which matters for many units.
type Mutable = { -readonly [Key in keyof FoundUnit]: FoundUnit[Key] }

const foundUnit = (directory: Directory, hit: Hit, { limited_to, places, point }: Visible): Mutable => {
  const postcode = directory.postcodeAt(hit.id)
  const distance_m = roundDistance(hit.distance_m)
  const unit: Mutable = { postcode, display: display(postcode), distance_m, confidence: confidence(distance_m) }
  if (places) {
    const { lga_name, state_name } = directory.placeNames(postcode)
    if (state_name !== undefined) unit.state_name = state_name
    if (lga_name !== undefined) unit.lga_name = lga_name
  }
  if (point) unit.point_geometry = directory.coordinateAt(hit.id)
  if (limited_to !== undefined) unit.limited_to = limited_to
  return unit
}

const withAddress = (unit: Mutable, { locality_name, recent_address }: UnitAttributes): FoundUnit => {
  if (locality_name !== undefined) unit.locality_name = locality_name
  if (recent_address !== undefined) unit.address = recent_address
  return unit
}
