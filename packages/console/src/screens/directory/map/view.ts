/** The visible area of a map: north up, in pixels. */
import { type Coordinate, metresPerDegree, movedBy, type Offset } from "./place.ts"
import { degreesText, multiples, niceStep } from "./scale.ts"

/** The area that a map shows. */
export interface View {
  readonly width: number
  readonly height: number
  /** Pixels per metre. */
  readonly scale: number
  readonly xOf: (east_m: number) => number
  readonly yOf: (north_m: number) => number
}

/**
 * @param middle the centre of the view
 * @param reach_m the visible distance from the centre in every direction
 */
export const viewOf = (width: number, middle: Offset, reach_m: number): View => {
  const height = Math.min(width, tallest)
  const scale = (height / 2 - margin) / reach_m
  return {
    width,
    height,
    scale,
    xOf: (east_m) => width / 2 + (east_m - middle.east_m) * scale,
    yOf: (north_m) => height / 2 - (north_m - middle.north_m) * scale
  }
}

const tallest = 460
const margin = 28

/**
 * The same view as maps with tiles count it: at zoom 0 the world is 256 pixels wide. Their sphere differs from the plane by
 * up to 0.7 %, which is less than 2 pixels at the edges.
 *
 * @param center of the offsets
 */
export const tiledView = (center: Coordinate, middle: Offset, { scale }: View) => {
  const { lat, lon } = movedBy(center, middle)
  const equator_m = 2 * Math.PI * 6_378_137
  return { lat, lng: lon, zoom: Math.log2((equator_m * Math.cos((lat * Math.PI) / 180) * scale) / 256) }
}

/** A grid line and its label. */
export interface GridLine {
  /** Pixels from the left or from the top. */
  readonly at: number
  /** `3.3400° E` */
  readonly text: string
}

/** The lines of both directions. */
export interface Grid {
  readonly meridians: ReadonlyArray<GridLine>
  readonly parallels: ReadonlyArray<GridLine>
}

/** The grid of round coordinates. */
export const gridOf = ({ lat, lon }: Coordinate, { height, scale, width, xOf, yOf }: View): Grid => {
  const degree = metresPerDegree(lat)
  const step = niceStep(gridSpace / scale / degree.lat)
  const lons = (pixels: number) => lon + (pixels - xOf(0)) / scale / degree.lon
  const lats = (pixels: number) => lat - (pixels - yOf(0)) / scale / degree.lat
  return {
    meridians: multiples(step, lons(0), lons(width)).map((at) => ({
      at: xOf((at - lon) * degree.lon),
      text: degreesText(at, step, ["E", "W"])
    })),
    parallels: multiples(step, lats(height), lats(0)).map((at) => ({
      at: yOf((at - lat) * degree.lat),
      text: degreesText(at, step, ["N", "S"])
    }))
  }
}

/** The maximum distance between two lines, in pixels. */
const gridSpace = 240
