/**
 * The metric of searches: the plane that touches the ellipsoid half-way between the latitudes of query and unit. Within
 * 2 km its error is at most 0.1 mm up to a latitude of 70° (0.01 mm in Nigeria). It costs a few multiplications,
 * because its scales are expanded around the query's latitude. Nearer to the poles meridians converge too fast, and
 * each unit is measured along the ellipsoid.
 *
 * The numbers are in one array, because numbers in module variables are allocated anew at each change.
 */
import { type Coordinate, distance_m, e7PerDegree, fromE7, wgs84 } from "./Coordinate.ts"

/** The current search, by the indexes below. */
export const plane = new Float64Array(10)

/** The query in 1e-7 degrees, not rounded. */
export const x_e7 = 0
export const y_e7 = 1
/** The square of the bound in metres. Units beyond it cannot become hits. */
export const bound2 = 2
/** Metres north are dy · (north0 + north1 · dy), metres east dx · (east0 + east1 · dy), for 1e-7 degrees dx and dy. */
export const north0 = 3
export const north1 = 4
export const east0 = 5
export const east1 = 6
/** The square of the minimum length in metres of 1e-7 degrees of longitude and of latitude within the radius. */
export const leastEast2 = 7
export const leastNorth2 = 8
/** Half the width of the search in 1e-7 degrees of longitude. */
export const halfWidth_e7 = 9

/**
 * Places the plane at the query. Returns whether the query is too near to a pole, so that `polarSquare` must measure.
 * The bound is the radius and a tolerance of 0.1 mm for the error of the metric.
 */
export const placePlane = (center: Coordinate, radius_m: number): boolean => {
  const reach_m = radius_m + tolerance_m
  plane[x_e7] = snapped_e7(center.lon)
  plane[y_e7] = snapped_e7(center.lat)
  plane[bound2] = reach_m * reach_m
  if (Math.abs(center.lat) <= polarLatitude) {
    expand(center)
    return false
  }
  // A degree of a meridian is shortest at the equator.
  const leastNorth = wgs84.a_m * (1 - wgs84.e2) * radiansPerE7
  plane[leastEast2] = 0
  plane[leastNorth2] = leastNorth * leastNorth * justBelow1
  plane[halfWidth_e7] = 0
  return true
}

/** The square of the distance from a query near a pole, in metres. */
export const polarSquare = (lon_e7: number, lat_e7: number): number =>
  distance_m(
    { lat: fromE7(plane[y_e7] as number), lon: fromE7(plane[x_e7] as number) },
    { lat: fromE7(lat_e7), lon: fromE7(lon_e7) }
  ) ** 2

const tolerance_m = 1e-4
const polarLatitude = 70
const radiansPerE7 = Math.PI / (180 * e7PerDegree)

// A rounding error must not prune a unit that is as near as the worst hit.
const justBelow1 = 1 - 1e-12

const expand = ({ lat }: Coordinate): void => {
  const { a_m, e2 } = wgs84
  const reach_m = Math.sqrt(plane[bound2] as number)
  const sin = Math.sin((lat * Math.PI) / 180)
  const cos = Math.sqrt(1 - sin * sin)
  const w2 = 1 - e2 * sin * sin
  const primeVertical_m = a_m / Math.sqrt(w2)
  const meridional_m = (primeVertical_m * (1 - e2)) / w2
  const meridionalSlope_m = (3 * e2 * meridional_m * sin * cos) / w2
  const half = radiansPerE7 / 2
  const north = meridional_m * radiansPerE7
  const northSlope = meridionalSlope_m * radiansPerE7 * half
  const east = primeVertical_m * cos * radiansPerE7
  const eastSlope = -meridional_m * sin * radiansPerE7 * half
  const halfHeight_e7 = (1.01 * reach_m) / north
  const leastNorth = north - Math.abs(northSlope) * halfHeight_e7
  const leastEast = east - Math.abs(eastSlope) * halfHeight_e7
  plane[north0] = north
  plane[north1] = northSlope
  plane[east0] = east
  plane[east1] = eastSlope
  plane[leastEast2] = leastEast * leastEast * justBelow1
  plane[leastNorth2] = leastNorth * leastNorth * justBelow1
  plane[halfWidth_e7] = reach_m / leastEast
}

/** Degrees in units of 1e-7, not rounded, but without the rounding error of multiplying a short decimal. */
const snapped_e7 = (degrees: number): number => {
  const exact = degrees * e7PerDegree
  const rounded = Math.round(exact)
  return Math.abs(exact - rounded) < 1e-5 ? rounded : exact
}
