/** A search by place, with the directions that the units lie in. */
import type { DataOf } from "../../client/Contract.ts"
import { send } from "../../client/send.ts"
import { type Coordinate, movedBy, type Offset, offsetBy } from "./place.ts"

/** Around which point, and how far, in metres. */
export interface PlaceQuery {
  /** As they were typed: the service says what is wrong with them. */
  readonly lat: string
  readonly lon: string
  readonly radius_m: string
  readonly isNearestOnly: boolean
}

/** A unit and where it lies from the point. */
export interface PlacedUnit extends FoundUnit {
  /** Seen from the point; undefined where too many units lie around it to tell. */
  readonly offset: Offset | undefined
}

/** What was found. */
export interface Found {
  readonly center: Coordinate
  /** As applied: large ones are cut down to what the service takes. */
  readonly radius_m: number
  /** Nearest first. */
  readonly units: ReadonlyArray<PlacedUnit>
}

type FoundUnit = DataOf<"GET /v1/search/nearby">["units"][number]

/** @throws Problem, or what the signal threw */
export const findUnits = async (query: PlaceQuery, signal: AbortSignal): Promise<Found> => {
  const { coordinate, radius_m, units } = await ask(query, signal)
  const [lon, lat] = coordinate
  const center = { lat, lon }
  return { center, radius_m, units: await placed(center, units, signal) }
}

/** The contract has numbers, which travel as the texts that were typed. */
const typed = (text: string): number => text as unknown as number

const ask = async ({ isNearestOnly, lat, lon, radius_m }: PlaceQuery, signal: AbortSignal) => {
  const query = { lat: typed(lat), lon: typed(lon), radius_m: typed(radius_m) }
  if (!isNearestOnly) return send("GET /v1/search/nearby", { query }, signal)
  const answer = await send("GET /v1/search/reverse", { query }, signal)
  return { ...answer, units: answer.found ? [answer.unit] : [] }
}

/**
 * A search answers how far units are, and not where. From two more points, one to the east and one to the north, it
 * answers other distances, and those tell the direction.
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

/** Distances are told to 0.1 m: from a shorter way off they would say little. */
const shortestStep_m = 20

const distancesFrom = async (
  { lat, lon }: Coordinate,
  radius_m: number,
  signal: AbortSignal
): Promise<ReadonlyMap<string, number>> => {
  const { units } = await send("GET /v1/search/nearby", { query: { lat, lon, radius_m, limit: 100 } }, signal)
  return new Map(units.map(({ distance_m, postcode }) => [postcode, distance_m]))
}
