/**
 * Searches for the active units around a point, ordered by distance; equally near units are ordered by postcode.
 *
 * Distances are on the WGS 84 ellipsoid, exact to a millimetre and not rounded. The service shows them after
 * `roundDistance`.
 */

import type { Directory } from "../directory/Directory.ts"
import {
  beginSearch,
  endSearch,
  hitDistance_m,
  hitId,
  maxRadius_m,
  reach_m,
  searchIndex
} from "../directory/space/BoundedSearch.ts"
import { type Coordinate, isCoordinate, isNullIsland } from "../directory/space/Coordinate.ts"

/** A found unit: its id in the directory, and its distance from the point. */
export interface Hit {
  readonly id: number
  readonly distance_m: number
}

/** The confidence that the point is at the unit, see `confidence`. */
export type Confidence = "high" | "medium" | "low"

/** The radius of a reverse geocode. Default: 25 m; maximum: 250 m. */
export const clampReverseRadius = (radius_m: number | undefined): number => clamp(radius_m, 25, 250)

/** The radius of a nearby search. Default: 300 m; maximum: 2 km. */
export const clampNearbyRadius = (radius_m: number | undefined): number => clamp(radius_m, 300, maxRadius_m)

/** Rounds to 0.1 m, as the service shows distances. */
export const roundDistance = (distance_m: number): number => Math.round(distance_m * 10) / 10

/** High up to 10 m, medium up to 50 m, low above. Graded after rounding, so that it agrees with the distance shown. */
export const confidence = (distance_m: number): Confidence => {
  const shown_m = roundDistance(distance_m)
  return shown_m <= 10 ? "high" : shown_m <= 50 ? "medium" : "low"
}

/**
 * The nearest unit within the radius, if there is one. The radius is inclusive: a radius of 0 finds a unit at the same
 * point. Units at latitude 0 and longitude 0 have no known location and are never found.
 *
 * ```ts
 * nearest(directory, { lat: 6.4541, lon: 3.3947 }, 25) // { id: 1204, distance_m: 11.83… }
 * ```
 *
 * @throws RangeError if the coordinate is out of range, or the radius is not a number from 0 to 2000
 */
export const nearest = (directory: Directory, coordinate: Coordinate, radius_m: number): Hit | undefined => {
  check(coordinate, radius_m)
  // Most points have a unit close by, and a narrow search is much cheaper than a wide one.
  const isFound =
    (radius_m > narrow_m && search(directory, coordinate, narrow_m, 1) === 1) ||
    search(directory, coordinate, radius_m, 1) === 1
  if (!isFound) return undefined
  const hit = hitAt(0)
  return isFarFromZero(coordinate) || isLocated(directory, hit) ? hit : located(directory, coordinate, radius_m, 1)[0]
}

/**
 * The `limit` nearest units within the radius, nearest first.
 *
 * @throws RangeError as `nearest` does, or if the limit is not a positive integer
 */
export const within = (
  directory: Directory,
  coordinate: Coordinate,
  radius_m: number,
  limit: number
): ReadonlyArray<Hit> => {
  check(coordinate, radius_m)
  if (!(Number.isInteger(limit) && limit > 0)) throw new RangeError("limit: expected a positive integer")
  const found = hits(directory, coordinate, radius_m, limit)
  return isFarFromZero(coordinate) || found.every((hit) => isLocated(directory, hit))
    ? found
    : located(directory, coordinate, radius_m, limit)
}

/** Whether no unit without a location can be within the largest radius: 2 km are 0.0181 degrees there. */
const isFarFromZero = ({ lat, lon }: Coordinate): boolean => Math.abs(lat) > 0.02 || Math.abs(lon) > 0.02

const isLocated = (directory: Directory, { id }: Hit): boolean => !isNullIsland(directory.coordinateAt(id))

/** Maximum number of units that are searched for ones with a location. */
const maxUnlocated = 4_096

/** The same among units with a location, near latitude 0 and longitude 0. */
const located = (directory: Directory, coordinate: Coordinate, radius_m: number, limit: number): ReadonlyArray<Hit> => {
  for (let wanted = 2 * limit; ; wanted *= 4) {
    const found = hits(directory, coordinate, radius_m, wanted)
    const good = found.filter((hit) => isLocated(directory, hit))
    if (good.length >= limit || found.length < wanted || wanted >= maxUnlocated) return good.slice(0, limit)
  }
}

const hits = (directory: Directory, coordinate: Coordinate, radius_m: number, limit: number): Array<Hit> => {
  const count = search(directory, coordinate, radius_m, limit)
  const found = new Array<Hit>(count)
  for (let rank = 0; rank < count; rank++) found[rank] = hitAt(rank)
  return found
}

const narrow_m = 25

const clamp = (radius_m: number | undefined, default_m: number, ceiling_m: number): number =>
  Math.min(Math.max(radius_m ?? default_m, 0), ceiling_m)

const search = (directory: Directory, coordinate: Coordinate, radius_m: number, limit: number): number => {
  const { firstIds, layers, order } = directory
  const { changes } = directory.codes
  beginSearch(coordinate, radius_m, limit, order)
  searchIndex(layers[0].spatial, directory.acceptedInEdition())
  for (let at = 0; at < changes.length; at++) {
    changes[at]?.searchNear(coordinate, reach_m(), firstIds[at + 1] as number)
  }
  return endSearch()
}

const hitAt = (rank: number): Hit => ({ id: hitId(rank), distance_m: hitDistance_m(rank) })

const check = (coordinate: Coordinate, radius_m: number): void => {
  if (!isCoordinate(coordinate)) {
    throw new RangeError("coordinate: expected lat from -90 to 90 and lon from -180 to 180")
  }
  if (!(radius_m >= 0 && radius_m <= maxRadius_m)) {
    throw new RangeError(`radius_m: expected a number from 0 to ${maxRadius_m}`)
  }
}
