/**
 * Metres on the ground to WGS 84 degrees around one latitude. Only +, −, ×, ÷ and the square root are used, because
 * IEEE 754 defines these to the last bit. Math.cos may differ between engines, and coordinates must not.
 */

import { wgs84 } from "@postcode/core/Coordinate"

const radiansPerDegree = 0.017453292519943295

/** The length of a degree, northwards and eastwards. */
export interface LocalPlane {
  readonly metres_a_degree_lat: number
  readonly metres_a_degree_lon: number
}

/** An offset from a point in metres, or a direction as a unit vector. */
export interface Vector {
  readonly east: number
  readonly north: number
}

/** The plane that touches the ellipsoid at a latitude between 30° south and 30° north. */
export const localPlane = (lat: number): LocalPlane => {
  const cosine = cosineOf(lat * radiansPerDegree)
  const w = 1 - wgs84.e2 * (1 - cosine * cosine)
  const normal = wgs84.a_m / Math.sqrt(w)
  return {
    metres_a_degree_lat: (normal * (1 - wgs84.e2) * radiansPerDegree) / w,
    metres_a_degree_lon: normal * cosine * radiansPerDegree
  }
}

/** A direction in the plane, as a unit vector: the point of the unit circle at parameter `t` from −1 to 1. */
export const direction = (t: number): Vector => ({
  east: (1 - t * t) / (1 + t * t),
  north: (2 * t) / (1 + t * t)
})

/** Taylor series. Below 30 degrees, the first omitted term is under 1e-14. */
const cosineOf = (angle: number): number => {
  const square = angle * angle
  return 1 - (square / 2) * (1 - (square / 12) * (1 - (square / 30) * (1 - (square / 56) * (1 - square / 90))))
}
