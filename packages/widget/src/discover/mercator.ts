/** Web Mercator: the projection of the map. */

/** WGS 84 degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

/** What a map shows. At zoom 0 the world is one tile; each level doubles it. Zoom may be a fraction. */
export interface Viewport {
  readonly centre: Point
  readonly zoom: number
  readonly width: number
  readonly height: number
}

const tile_px = 256
/** Of the projection's sphere, at the equator. */
const circumference_m = 2 * Math.PI * 6_378_137
/** Where the projection is cut off, so that the world is a square. */
const maxLat = 85.0511287798

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** In pixels of a world of this zoom, from its north-west corner. */
export const project = ({ lat, lng }: Point, zoom: number): readonly [x: number, y: number] => {
  const size = tile_px * 2 ** zoom
  const sine = Math.sin(radians(Math.max(-maxLat, Math.min(maxLat, lat))))
  return [((lng + 180) / 360) * size, (0.5 - Math.atanh(sine) / (2 * Math.PI)) * size]
}

/** The reverse of `project`. */
export const unproject = (x: number, y: number, zoom: number): Point => {
  const size = tile_px * 2 ** zoom
  const lng = (x / size) * 360 - 180
  const lat = (Math.asin(Math.tanh((0.5 - y / size) * 2 * Math.PI)) * 180) / Math.PI
  return { lat, lng: lng - 360 * Math.floor((lng + 180) / 360) }
}

/** The pixel of a point, from the viewport's top left corner. */
export const toScreen = (point: Point, { centre, height, width, zoom }: Viewport): readonly [x: number, y: number] => {
  const [x, y] = project(point, zoom)
  const [centreX, centreY] = project(centre, zoom)
  return [x - centreX + width / 2, y - centreY + height / 2]
}

/** The reverse of `toScreen`. */
export const fromScreen = (x: number, y: number, { centre, height, width, zoom }: Viewport): Point => {
  const [centreX, centreY] = project(centre, zoom)
  return unproject(centreX + x - width / 2, centreY + y - height / 2, zoom)
}

/** The length of a pixel on the ground. */
export const metresPerPixel = (lat: number, zoom: number): number =>
  (circumference_m * Math.cos(radians(lat))) / (tile_px * 2 ** zoom)

/** The zoom at which a pixel has this length. */
export const zoomFor = (lat: number, metres: number): number => Math.log2(metresPerPixel(lat, 0) / metres)

/** The longest scale bar of 1, 2 or 5 times a power of ten metres that is at most so many pixels wide. */
export const scaleBar = (
  { centre, zoom }: Viewport,
  max_px: number
): { readonly length_m: number; readonly width_px: number } => {
  const metres = metresPerPixel(centre.lat, zoom)
  const power = 10 ** Math.floor(Math.log10(metres * max_px))
  const length_m = power * ([5, 2].find((times) => times * power <= metres * max_px) ?? 1)
  return { length_m, width_px: length_m / metres }
}
