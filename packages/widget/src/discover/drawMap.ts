/** Draws the map as SVG: the position with its accuracy, the pin, and units where their points are served. */
import type { svg as makeSvg } from "../View.ts"
import { metresPerPixel, type Point, scaleBar, toScreen, type Viewport } from "./mercator.ts"

/** What is on the map. */
export interface Scene extends Viewport {
  readonly svg: typeof makeSvg
  readonly position: Point
  readonly accuracy_m: number
  /** The place whose surroundings are listed. */
  readonly place: Point
  /** Where the pin is shown: at the place, or at the unit that it has found. */
  readonly pin: Point
  /** Units with known points. */
  readonly points: ReadonlyArray<{ readonly point: Point; readonly isChosen: boolean; readonly number: number }>
  /** The distance of the chosen unit from the pin, if its point is not known. */
  readonly ring_m: number | undefined
  /** Whether streets are under the drawing. */
  readonly hasStreets: boolean
}

/** Replaces what the layer shows. */
export const drawMap = (layer: SVGElement, scene: Scene): void => {
  const { accuracy_m, centre, pin, place, points, position, ring_m, svg, zoom } = scene
  const metre_px = 1 / metresPerPixel(centre.lat, zoom)
  const [x, y] = toScreen(pin, scene)
  const chosen = points.find(({ isChosen }) => isChosen)
  const [fromX, fromY] = toScreen(place, scene)
  const [toX, toY] = chosen ? toScreen(chosen.point, scene) : [x, y]
  layer.replaceChildren(
    ...(scene.hasStreets ? [] : rings(scene)),
    circleOf(scene, "accuracy", position, accuracy_m * metre_px),
    circleOf(scene, "position", position, 6),
    ...(ring_m === undefined ? [] : [circleOf(scene, "ring", pin, ring_m * metre_px)]),
    ...(pin === place ? [] : [circleOf(scene, "tapped", place, 4)]),
    svg("line", { part: "link", x1: round(fromX), y1: round(fromY), x2: round(toX), y2: round(toY) }),
    // Before the units, so that it covers none.
    svg("path", { part: "marker", d: pinPath, transform: `translate(${round(x)} ${round(y)})` }),
    ...points.flatMap(({ isChosen, number, point }) => {
      const [x, y] = toScreen(point, scene)
      const circle = (r: number) => circleOf(scene, isChosen ? "unit chosen" : "unit", point, r)
      // From afar, numbers would cover each other.
      return isChosen || zoom > 16.5 ? [circle(10), textOf(scene, "number", x, y + 4, `${number}`)] : [circle(3)]
    })
  )
}

/** Its tip is at the origin. */
const pinPath = "M0 0C-4-8-12-14-12-23a12 12 0 0 1 24 0C12-14 4-8 0 0m0-28a5 5 0 1 0 0 10 5 5 0 0 0 0-10"

const round = (value: number): number => Math.round(value * 10) / 10

const circleOf = (scene: Scene, part: string, point: Point, r: number): SVGElement => {
  const [cx, cy] = toScreen(point, scene)
  return scene.svg("circle", { part, cx: round(cx), cy: round(cy), r: round(r) })
}

const textOf = ({ svg }: Scene, part: string, x: number, y: number, text: string): SVGElement =>
  svg("text", { part, x: round(x), y: round(y) }, text)

/** `400 m`, `2 km`. */
export const lengthOf = (length_m: number): string => (length_m < 1000 ? `${length_m} m` : `${length_m / 1000} km`)

/** Circles around the position with their distance, so that the ground does not look like streets that failed to load. */
const rings = (scene: Scene): ReadonlyArray<SVGElement> => {
  const { length_m, width_px } = scaleBar(scene, 100)
  const { height, width } = scene
  const [cx, cy] = toScreen(scene.position, scene)
  const away = Math.hypot(cx - width / 2, cy - height / 2)
  const half = Math.hypot(width, height) / 2
  const nodes: Array<SVGElement> = []
  for (let at = Math.max(1, Math.ceil((away - half) / width_px)); at * width_px < away + half; at++) {
    const r = at * width_px
    nodes.push(
      circleOf(scene, "circle", scene.position, r),
      textOf(scene, "away", cx, cy + r - 3, lengthOf(at * length_m))
    )
  }
  return nodes
}
