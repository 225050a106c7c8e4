import type { Coordinate } from "@postcode/core/Coordinate"
import geodesic from "geographiclib-geodesic"

/** Karney's solution, good to nanometres: the oracle of distances. */
export const karney_m = (a: Coordinate, b: Coordinate): number =>
  geodesic.Geodesic.WGS84.Inverse(a.lat, a.lon, b.lat, b.lon).s12 as number
