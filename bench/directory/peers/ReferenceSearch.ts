/**
 * The reference implementation of nearest units by the WGS 84 geodesic, without a tree. It scans all units in the
 * latitude range and measures the candidates with GeographicLib.
 */
import { type Coordinate, fromE7, toE7 } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import geodesic from "geographiclib-geodesic"

export interface Measured {
  /** The unit's id, its rank in the order of postcodes. */
  readonly id: number
  readonly distance_m: number
}

/** The geodesic distance in metres: C. F. F. Karney's solution, accurate to nanometres. */
export const geodesic_m = (a: Coordinate, b: Coordinate): number =>
  geodesic.Geodesic.WGS84.Inverse(a.lat, a.lon, b.lat, b.lon).s12 as number

export class ReferenceSearch {
  private readonly lats_e7: Int32Array
  private readonly lons_e7: Int32Array
  /** The ids of the active units by latitude band, and the start of each band. */
  private readonly ids: Uint32Array
  private readonly bandStarts: Uint32Array

  constructor(directory: Directory) {
    const count = directory.size
    this.lats_e7 = new Int32Array(count)
    this.lons_e7 = new Int32Array(count)
    this.ids = new Uint32Array(directory.activeSize)
    this.bandStarts = new Uint32Array(bandOf(quarterTurn_e7) + 2)
    for (let id = 0; id < count; id++) {
      const { lat, lon } = directory.coordinateAt(id)
      this.lats_e7[id] = toE7(lat)
      this.lons_e7[id] = toE7(lon)
      if (directory.isActive(id))
        this.bandStarts[this.band(id) + 1] = (this.bandStarts[this.band(id) + 1] as number) + 1
    }
    for (let band = 1; band < this.bandStarts.length; band++) {
      this.bandStarts[band] = (this.bandStarts[band] as number) + (this.bandStarts[band - 1] as number)
    }
    const next = this.bandStarts.slice()
    for (let id = 0; id < count; id++) {
      if (!directory.isActive(id)) continue
      const band = this.band(id)
      const place = next[band] as number
      this.ids[place] = id
      next[band] = place + 1
    }
  }

  coordinateAt(id: number): Coordinate {
    return { lat: fromE7(this.lats_e7[id] as number), lon: fromE7(this.lons_e7[id] as number) }
  }

  /**
   * The active units within the radius by distance, then by postcode: the first `limit` of them, and those less than
   * `margin_m` beyond the last one or the radius.
   */
  within(center: Coordinate, radius_m: number, limit: number, margin_m: number): ReadonlyArray<Measured> {
    const near = this.roughly(center, (radius_m + margin_m) * sphereError + rounding_m)
    const roughs_m = near.map(({ distance_m }) => distance_m).sort((a, b) => a - b)
    const last_m = roughs_m[limit - 1] ?? Number.POSITIVE_INFINITY
    // A unit that is farther on the sphere by more than twice its error is also farther on the ellipsoid.
    const reach_m = (last_m + margin_m) * sphereError * sphereError + 2 * rounding_m
    const measured = near
      .filter(({ distance_m }) => distance_m <= reach_m)
      .map(({ id }) => ({ id, distance_m: geodesic_m(center, this.coordinateAt(id)) }))
      .sort((a, b) => a.distance_m - b.distance_m || a.id - b.id)
    const end_m = Math.min(radius_m, measured[limit - 1]?.distance_m ?? radius_m) + margin_m
    return measured.filter(({ distance_m }) => distance_m <= end_m)
  }

  /** The active units within a distance on a sphere. */
  private roughly(center: Coordinate, reach_m: number): ReadonlyArray<Measured> {
    const height_e7 = Math.ceil((reach_m / minDegree_m) * 1e7)
    const lat_e7 = toE7(center.lat)
    const firstBand = bandOf(Math.max(lat_e7 - height_e7, -quarterTurn_e7))
    const lastBand = bandOf(Math.min(lat_e7 + height_e7, quarterTurn_e7))
    const end = this.bandStarts[lastBand + 1] as number
    const width_e7 = halfWidth_e7(center.lat, reach_m)
    const lon_e7 = toE7(center.lon)
    const near: Array<Measured> = []
    for (let place = this.bandStarts[firstBand] as number; place < end; place++) {
      const id = this.ids[place] as number
      const apart_e7 = Math.abs((this.lons_e7[id] as number) - lon_e7)
      if (Math.min(apart_e7, 2 * halfTurn_e7 - apart_e7) > width_e7) continue
      const distance_m = haversine_m(center, this.coordinateAt(id))
      if (distance_m <= reach_m) near.push({ id, distance_m })
    }
    return near
  }

  private band(id: number): number {
    return bandOf(this.lats_e7[id] as number)
  }
}

const quarterTurn_e7 = 90e7
const halfTurn_e7 = 180e7

/** Bands of 1/2000 of a degree, 55 m high. */
const bandOf = (lat_e7: number): number => Math.floor((lat_e7 + quarterTurn_e7) / 5_000)

/** No degree of a meridian is shorter. */
const minDegree_m = 110_000

/** The maximum ratio between arcs on the ellipsoid and on the sphere below. */
const sphereError = 1.006
/** The maximum rounding error of a distance on the sphere. */
const rounding_m = 0.001
const sphere_m = 6_371_000
const radians = Math.PI / 180

/** The maximum longitude offset within the radius, in 1e-7 degrees; 180° if a pole may be within the radius. */
const halfWidth_e7 = (lat: number, reach_m: number): number => {
  const poleward = Math.abs(lat) + reach_m / minDegree_m
  if (poleward >= 89.9) return halfTurn_e7
  return (reach_m / (minDegree_m * Math.cos(poleward * radians))) * 1e7 + 1
}

const haversine_m = (a: Coordinate, b: Coordinate): number => {
  const north = Math.sin(((b.lat - a.lat) * radians) / 2)
  const east = Math.sin(((b.lon - a.lon) * radians) / 2)
  const square = north * north + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * east * east
  return 2 * sphere_m * Math.asin(Math.min(1, Math.sqrt(square)))
}
