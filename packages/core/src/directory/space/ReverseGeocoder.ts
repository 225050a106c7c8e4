/**
 * From a point to the units around it. Every search counts active units only, and orders them by distance, equally near
 * ones by postcode.
 *
 * Distances are those on the WGS 84 ellipsoid, good to a millimetre and not rounded; `roundDistance` makes of them what
 * callers of the service see.
 */
import { around } from "geokdbush"
import KDBush from "kdbush"
import type { ChangeLayer } from "../changes/Layer.ts"
import type { Directory } from "../Directory.ts"
import { beginSearch, endSearch, hitDistance_m, hitId, maxRadius_m, reach_m, searchIndex } from "./BoundedSearch.ts"
import { type Coordinate, distance_m, fromE7, isCoordinate } from "./Coordinate.ts"
import { latOf_e7, lonOf_e7, type SpatialIndex, unitCount } from "./SpatialIndex.ts"

/** A unit found: its id in the directory, and how far it is from the point. */
export interface Hit {
  readonly id: number
  readonly distance_m: number
}

/** How sure it is that a hit is meant, by its distance; see `confidence`. */
export type Confidence = "high" | "medium" | "low"

/** The radius that a reverse geocode applies: what was asked for, at most 250 m; 25 m if nothing was. */
export const clampReverseRadius = (radius_m: number | undefined): number => clamp(radius_m, 25, 250)

/** The radius that a search of the neighbourhood applies: what was asked for, at most 2 km; 300 m if nothing was. */
export const clampNearbyRadius = (radius_m: number | undefined): number => clamp(radius_m, 300, maxRadius_m)

/** To 0.1 m, as the service shows it. */
export const roundDistance = (distance_m: number): number => Math.round(distance_m * 10) / 10

/**
 * How sure one can be that the point is that unit: high up to 10 m, medium up to 50 m, low beyond. It grades the
 * rounded distance, which is the one that the caller sees beside it.
 */
export const confidence = (distance_m: number): Confidence => {
  const shown_m = roundDistance(distance_m)
  return shown_m <= 10 ? "high" : shown_m <= 50 ? "medium" : "low"
}

/**
 * The nearest unit within the radius, if there is one. A unit exactly as far as the radius counts, so a radius of 0
 * finds a unit at the very point.
 *
 * ```ts
 * nearest(directory, { lat: 6.4541, lon: 3.3947 }, 25) // { id: 1204, distance_m: 11.83… }
 * ```
 *
 * @throws RangeError if the coordinate is none, or the radius is not a number from 0 to 2000
 */
export const nearest = (directory: Directory, coordinate: Coordinate, radius_m: number): Hit | undefined => {
  check(coordinate, radius_m)
  // Most points of interest have a unit close by, and a narrow search for it is much cheaper than a wide one.
  if (radius_m > narrow_m && search(directory, coordinate, narrow_m, 1) === 1) return hitAt(0)
  return search(directory, coordinate, radius_m, 1) === 1 ? hitAt(0) : undefined
}

/**
 * The units within the radius, the nearest `limit` of them, nearest first.
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
  checkCount("limit", limit)
  const count = search(directory, coordinate, radius_m, limit)
  const found = new Array<Hit>(count)
  for (let rank = 0; rank < count; rank++) found[rank] = hitAt(rank)
  return found
}

/**
 * The `count` nearest units, however far away they are. For offline use on a few points: it searches by great circles
 * first (geokdbush), orders what may belong to the answer by `distance_m` afterwards, and keeps a copy of all points in
 * degrees, 20 bytes each, from the first call on.
 *
 * @throws RangeError if the coordinate is none, or the count is not a positive integer
 */
export const nearestWithoutBound = (
  directory: Directory,
  coordinate: Coordinate,
  count: number
): ReadonlyArray<Hit> => {
  check(coordinate, 0)
  checkCount("count", count)
  const measured = (ids: ReadonlyArray<number>): Array<Hit> =>
    ids
      .map((id) => ({ id, distance_m: distance_m(coordinate, directory.coordinateAt(id)) }))
      .sort((a, b) => a.distance_m - b.distance_m || directory.compareIds(a.id, b.id))
  const first = measured(aroundInAll(directory, coordinate, count, Number.POSITIVE_INFINITY)).slice(0, count)
  const farthest = first.at(-1)
  if (farthest === undefined || first.length < count) return first
  // Whatever is as near on the ellipsoid lies within this on the sphere.
  const reach_km = Math.min(((farthest.distance_m + 0.001) / 1000) * sphereExcess, halfRound_km)
  return measured(aroundInAll(directory, coordinate, Number.POSITIVE_INFINITY, reach_km)).slice(0, count)
}

const narrow_m = 25

const clamp = (radius_m: number | undefined, default_m: number, ceiling_m: number): number =>
  Math.min(Math.max(radius_m ?? default_m, 0), ceiling_m)

const search = (directory: Directory, coordinate: Coordinate, radius_m: number, limit: number): number => {
  const { layers, order } = directory
  beginSearch(coordinate, radius_m, limit, order)
  searchIndex(layers[0].spatial, 0, directory.acceptedIn(0))
  if (directory.mayHaveChangesNear(coordinate, reach_m())) searchChanges(directory)
  return endSearch()
}

/** Goes on with the layers of changes. */
const searchChanges = (directory: Directory): void => {
  const { firstIds, layers } = directory
  for (let at = 1; at < layers.length; at++) {
    const layer = layers[at] as ChangeLayer
    if (layer.mayHoldNear()) searchIndex(layer.spatial, firstIds[at] as number, directory.acceptedIn(at))
  }
}

/** The units that geokdbush finds in each layer. */
const aroundInAll = (directory: Directory, { lat, lon }: Coordinate, count: number, reach_km: number): Array<number> =>
  directory.layers.flatMap(({ spatial }, at) => {
    const isCurrent = (id: number): boolean => directory.isCurrent(at, id)
    const ids = around(inDegrees(spatial), lon, lat, count, reach_km, isCurrent)
    return ids.map((id) => (directory.firstIds[at] as number) + id)
  })

const hitAt = (rank: number): Hit => ({ id: hitId(rank), distance_m: hitDistance_m(rank) })

const check = (coordinate: Coordinate, radius_m: number): void => {
  if (!isCoordinate(coordinate)) {
    throw new RangeError("coordinate: expected lat from -90 to 90 and lon from -180 to 180")
  }
  if (!(radius_m >= 0 && radius_m <= maxRadius_m)) {
    throw new RangeError(`radius_m: expected a number from 0 to ${maxRadius_m}`)
  }
}

const checkCount = (name: string, count: number): void => {
  if (!(Number.isInteger(count) && count > 0)) throw new RangeError(`${name}: expected a positive integer`)
}

/** No arc of the ellipsoid is longer on geokdbush's sphere of 6,371 km by more than this; the most is 1.0057. */
const sphereExcess = 1.006
const halfRound_km = 6371 * Math.PI

/** The same points in degrees, as geokdbush reads them. */
const inDegrees = (index: SpatialIndex): KDBush => {
  const known = degreeTrees.get(index)
  if (known !== undefined) return known
  const count = unitCount(index)
  const tree = new KDBush(count)
  for (let id = 0; id < count; id++) tree.add(fromE7(lonOf_e7(index, id)), fromE7(latOf_e7(index, id)))
  tree.finish()
  degreeTrees.set(index, tree)
  return tree
}

const degreeTrees = new WeakMap<SpatialIndex, KDBush>()
