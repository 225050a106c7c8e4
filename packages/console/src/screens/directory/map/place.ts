/** Offsets from a point in metres, on a plane: accurate to 0.1 % over some kilometres. */

/** WGS 84 degrees. */
export interface Coordinate {
  readonly lat: number
  readonly lon: number
}

/** From a point, in metres. */
export interface Offset {
  readonly east_m: number
  readonly north_m: number
}

/** No offset. */
export const nowhere: Offset = { east_m: 0, north_m: 0 }

/** The lengths of a degree of latitude and of longitude, by the series for WGS 84. */
export const metresPerDegree = (lat: number): Coordinate => {
  const angle = (lat * Math.PI) / 180
  return {
    lat: 111_132.954 - 559.822 * Math.cos(2 * angle) + 1.175 * Math.cos(4 * angle),
    lon: 111_412.84 * Math.cos(angle) - 93.5 * Math.cos(3 * angle)
  }
}

/** The point at an offset, on a plane: accurate for the kilometres of a map. */
export const movedBy = ({ lat, lon }: Coordinate, { east_m, north_m }: Offset): Coordinate => {
  const degree = metresPerDegree(lat)
  return { lat: lat + north_m / degree.lat, lon: lon + east_m / degree.lon }
}

/** One of eight directions, such as `north-east`. */
export const directionOf = ({ east_m, north_m }: Offset): string => {
  const eighth = Math.round(Math.atan2(east_m, north_m) / (Math.PI / 4))
  return directions[(eighth + 8) % 8] ?? "north"
}

const directions = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]

/**
 * The offset of a unit by trilateration.
 *
 * @param distance_m from the point itself
 * @param fromEast_m from the point `step_m` to the east
 * @param fromNorth_m from the point `step_m` to the north
 */
export const offsetBy = (distance_m: number, fromEast_m: number, fromNorth_m: number, step_m: number): Offset => {
  const along = (from_m: number) => (distance_m ** 2 - from_m ** 2 + step_m ** 2) / (2 * step_m)
  const [east_m, north_m] = [along(fromEast_m), along(fromNorth_m)]
  const size_m = Math.hypot(east_m, north_m)
  // Scaled to the distance from the point, which is shown; the others are rounded.
  const factor = size_m === 0 ? 0 : distance_m / size_m
  return { east_m: east_m * factor, north_m: north_m * factor }
}
