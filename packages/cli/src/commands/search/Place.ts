/** Arguments and flags of a location and a radius. */
import { argument, decimal, optionalFlag } from "../../Parameters.ts"

/** Degrees north, WGS 84. */
export const latitude = argument("LAT", {
  read: decimal(-90, 90, "a latitude in degrees from -90 to 90"),
  description: "Latitude in degrees, WGS 84"
})

/** Degrees east, WGS 84. */
export const longitude = argument("LON", {
  read: decimal(-180, 180, "a longitude in degrees from -180 to 180"),
  description: "Longitude in degrees, WGS 84"
})

/** Metres around the point; the maximum depends on the search. */
export const radius = (description: string) =>
  optionalFlag("radius-m", {
    read: decimal(0, Number.MAX_VALUE, "a radius in metres, 0 or more"),
    metavar: "N",
    description
  })
