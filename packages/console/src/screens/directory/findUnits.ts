/** A search by location, with the directions of the units. */
import type { DataOf } from "../../client/Contract.ts"
import { send } from "../../client/send.ts"
import { type Coordinate, movedBy, type Offset, offsetBy } from "./map/place.ts"

/** The point, and the radius in metres. */
export interface PlaceQuery {
  /** As text: the service reports what is wrong with them. */
  readonly lat: string
  readonly lon: string
  readonly radius_m: string
  readonly isNearestOnly: boolean
}

/** A unit and its location relative to the point. */
export interface PlacedUnit extends FoundUnit {
  /** From the point; undefined if too many units lie around it to compute it. */
  readonly offset: Offset | undefined
}

/** The result. */
export interface Found {
  readonly center: Coordinate
  /** The effective radius: the service limits large ones. */
  readonly radius_m: number
  /** Nearest first. */
  readonly units: ReadonlyArray<PlacedUnit>
}

type FoundUnit = DataOf<"GET /v1/search/nearby">[number]

/** @throws Problem, or the signal's reason */
export const findUnits = async (query: PlaceQuery, signal: AbortSignal): Promise<Found> => {
  const { radius_m, units } = await ask(query, signal)
  const center = { lat: Number(query.lat), lon: Number(query.lon) }
  return { center, radius_m, units: await placed(center, units, signal) }
}

/** The service applies at most this radius, and does not report it. */
const maxNearby_m = 2_000

/** The contract has numbers, but they are sent as typed. */
const typed = (text: string): number => text as unknown as number

const ask = async ({ isNearestOnly, lat, lon, radius_m }: PlaceQuery, signal: AbortSignal) => {
  const point = { lat: typed(lat), lng: typed(lon) }
  if (isNearestOnly) {
    const answer = await send(
      "GET /v1/search/reverse",
      { query: { ...point, max_distance_m: typed(radius_m) } },
      { signal }
    )
    return { radius_m: answer.radius_m, units: answer.found ? [answer.unit] : [] }
  }
  const units = await send("GET /v1/search/nearby", { query: { ...point, radius: typed(radius_m) } }, { signal })
  return { radius_m: Math.min(Number(radius_m), maxNearby_m), units }
}

/**
 * The search returns distances without locations. Two more searches, from points to the east and to the north, give the
 * direction.
 */
const placed = async (
  center: Coordinate,
  units: ReadonlyArray<FoundUnit>,
  signal: AbortSignal
): Promise<ReadonlyArray<PlacedUnit>> => {
  if (units.length === 0) return []
  const farthest_m = Math.max(...units.map(({ distance_m }) => distance_m))
  const step_m = Math.max(farthest_m / 4, shortestStep_m)
  const offsets = [
    { east_m: step_m, north_m: 0 },
    { east_m: 0, north_m: step_m }
  ]
  const [fromEast, fromNorth] = await Promise.all(
    offsets.map((offset) => distancesFrom(movedBy(center, offset), farthest_m + step_m + 1, signal))
  )
  return units.map((unit) => {
    const { distance_m, postcode } = unit
    const [east_m, north_m] = [fromEast?.get(postcode), fromNorth?.get(postcode)]
    const isKnown = east_m !== undefined && north_m !== undefined
    return { ...unit, offset: isKnown ? offsetBy(distance_m, east_m, north_m, step_m) : undefined }
  })
}

/** Distances are rounded to 0.1 m, so a shorter baseline would be inaccurate. */
const shortestStep_m = 20

const distancesFrom = async (
  { lat, lon }: Coordinate,
  radius_m: number,
  signal: AbortSignal
): Promise<ReadonlyMap<string, number>> => {
  const query = { lat, lng: lon, radius: radius_m, limit: 100 }
  const units = await send("GET /v1/search/nearby", { query }, { signal })
  return new Map(units.map(({ distance_m, postcode }) => [postcode, distance_m]))
}
