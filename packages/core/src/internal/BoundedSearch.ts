/**
 * The nearest active units within a radius: a walk of the KD-tree that prunes by the radius from the start and by the
 * worst hit once it holds as many as it may. It allocates nothing, unless it has to hold more hits than ever before; the
 * hits wait in arrays of this module until the next search.
 *
 * One metric measures every hit, whichever search asks: the plane that touches the ellipsoid half-way between the
 * latitudes of query and unit. Within 2 km it is good to 0.1 mm up to a latitude of 70° (to 0.01 mm in Nigeria), and it
 * costs a few multiplications, as its scales are expanded around the query's latitude. Nearer to the poles meridians
 * converge too fast for it, and each unit is measured along the ellipsoid.
 */
import { type Coordinate, distance_m, e7PerDegree, fromE7, wgs84 } from "../Coordinate.ts"
import { isVisible, type SpatialIndex } from "./SpatialIndex.ts"

/** The widest radius that the metric is made for. */
export const widestRadius_m = 2000

/** Compares two units that are equally near: negative if the first one comes first. */
export type UnitOrder = (a: number, b: number) => number

/**
 * Begins a search for the `limit` nearest units within the radius. A unit as far as the radius counts, give or take the
 * tenth of a millimetre that the metric may be off. Equally near ones come in the given order, by id unless told.
 */
export const beginSearch = (center: Coordinate, radius_m: number, limit: number, order?: UnitOrder): void => {
  begin(limit, radius_m + tolerance_m, order)
  queryLat = center.lat
  queryLon = center.lon
}

/**
 * Searches an index, in addition to those searched since the search began.
 *
 * @param firstId what is added to the ids of this index, so that hits of several indexes can be told apart
 * @param accept asked about each near unit that the index does not call visible, by its id in the index; without it
 *   such units are passed over
 */
export const searchIndex = (index: SpatialIndex, firstId: number, accept?: (id: number) => boolean): void => {
  if (capacity === 0 || index.ids.length === 0) return
  const center = { lat: queryLat, lon: queryLon }
  const layer = { index, firstId, accept }
  const x = snapped_e7(center.lon)
  const y = snapped_e7(center.lat)
  if (Math.abs(center.lat) > polarLatitude) {
    pruneByLatitudeOnly()
    walk(layer, x, y, center)
  } else {
    const radius_m = Math.sqrt(bound2)
    const halfWidth_e7 = expandPlane(center.lat, radius_m)
    walk(layer, x, y, undefined)
    if (x + halfWidth_e7 > halfTurn_e7) walk(layer, x - 2 * halfTurn_e7, y, undefined)
    if (x - halfWidth_e7 < -halfTurn_e7) walk(layer, x + 2 * halfTurn_e7, y, undefined)
  }
}

/** How near a unit has to be, as far as it is known by now, to be among the hits. */
export const reach_m = (): number => Math.sqrt(bound2)

/** Ends the search; returns how many hits it has. They are in order, nearest first. */
export const endSearch = (): number => {
  sortHits()
  return hits
}

/** The id of a hit of the last search, 0 being the nearest. */
export const hitId = (rank: number): number => heapIds[rank] as number

/** How far away that hit is. */
export const hitDistance_m = (rank: number): number => Math.sqrt(heapSquares[rank] as number)

const tolerance_m = 1e-4
const polarLatitude = 70
const halfTurn_e7 = 180 * e7PerDegree
const radiansPerE7 = Math.PI / halfTurn_e7

// The plane at the query: metres north are dy · (north0 + north1 · dy), metres east dx · (east0 + east1 · dy) for
// differences in 1e-7 degrees; then the square of the least metres that 1e-7 degrees of either can be.
const north0 = 0
const north1 = 1
const east0 = 2
const east1 = 3
const leastEast2 = 4
const leastNorth2 = 5
const plane = new Float64Array(6)

/** Half the width of the search in 1e-7 degrees of longitude. */
const expandPlane = (lat: number, radius_m: number): number => {
  const { a_m, e2 } = wgs84
  const phi = (lat * Math.PI) / 180
  const sin = Math.sin(phi)
  const cos = Math.cos(phi)
  const w2 = 1 - e2 * sin * sin
  const primeVertical_m = a_m / Math.sqrt(w2)
  const meridional_m = (primeVertical_m * (1 - e2)) / w2
  const meridionalSlope_m = (3 * e2 * meridional_m * sin * cos) / w2
  const half = radiansPerE7 / 2
  plane[north0] = meridional_m * radiansPerE7
  plane[north1] = meridionalSlope_m * radiansPerE7 * half
  plane[east0] = primeVertical_m * cos * radiansPerE7
  plane[east1] = -meridional_m * sin * radiansPerE7 * half
  const halfHeight_e7 = (1.01 * radius_m) / plane[north0]
  const leastNorth = plane[north0] - Math.abs(plane[north1]) * halfHeight_e7
  const leastEast = plane[east0] - Math.abs(plane[east1]) * halfHeight_e7
  plane[leastNorth2] = leastNorth * leastNorth * justBelow1
  plane[leastEast2] = leastEast * leastEast * justBelow1
  return radius_m / leastEast
}

// So that a unit as near as the worst hit is never pruned by a rounding error.
const justBelow1 = 1 - 1e-12

const pruneByLatitudeOnly = (): void => {
  // A meridian is bent most at the equator, where a degree of it is shortest.
  const leastNorth = wgs84.a_m * (1 - wgs84.e2) * radiansPerE7
  plane.fill(0)
  plane[leastNorth2] = leastNorth * leastNorth * justBelow1
}

/** Degrees in units of 1e-7, not rounded, but free of the noise that multiplying a short decimal makes. */
const snapped_e7 = (degrees: number): number => {
  const exact = degrees * e7PerDegree
  const rounded = Math.round(exact)
  return Math.abs(exact - rounded) < 1e-5 ? rounded : exact
}

// Subtrees and split points still to visit: first and last point, number of the node, and the least square distance.
const framesFirst = new Uint32Array(128)
const framesLast = new Uint32Array(128)
const framesNode = new Uint32Array(128)
const framesSquare = new Float64Array(128)

interface Layer {
  readonly index: SpatialIndex
  readonly firstId: number
  readonly accept: ((id: number) => boolean) | undefined
}

/** Visits what may lie near enough, the nearer half of each node first. `pole` asks for the metric of the poles. */
const walk = (layer: Layer, x: number, y: number, pole: Coordinate | undefined): void => {
  const { accept, firstId, index } = layer
  const { ids, coords, splits, nodeSize } = index
  const n0 = plane[north0] as number
  const n1 = plane[north1] as number
  const e0 = plane[east0] as number
  const e1 = plane[east1] as number
  const xScale2 = plane[leastEast2] as number
  const yScale2 = plane[leastNorth2] as number
  let bound = bound2
  let first = 0
  let last = ids.length - 1
  let node = 1
  let frames = 0
  for (;;) {
    while (last - first > nodeSize) {
      const byLatitude = (31 - Math.clz32(node)) & 1
      const gap = (byLatitude === 1 ? y : x) - (splits[node] as number)
      const square = gap * gap * (byLatitude === 1 ? yScale2 : xScale2)
      const middle = (first + last) >>> 1
      const side = gap < 0 ? 0 : 1
      if (square <= bound) {
        framesFirst[frames] = side === 0 ? middle + 1 : first
        framesLast[frames] = side === 0 ? last : middle - 1
        framesNode[frames] = 2 * node + 1 - side
        framesSquare[frames++] = square
        // The split point itself, as a leaf of one.
        framesFirst[frames] = middle
        framesLast[frames] = middle
        framesSquare[frames++] = square
      }
      if (side === 0) last = middle - 1
      else first = middle + 1
      node = 2 * node + side
    }
    for (let at = first; at <= last; at++) {
      const dx = x - (coords[2 * at] as number)
      const dy = (coords[2 * at + 1] as number) - y
      const north = dy * (n0 + n1 * dy)
      const east = dx * (e0 + e1 * dy)
      const square = pole === undefined ? north * north + east * east : polarSquare(pole, coords, at)
      if (square <= bound && (isVisible(index, at) || accept?.(ids[at] as number) === true)) {
        bound = keep(firstId + (ids[at] as number), square, bound)
      }
    }
    do {
      if (frames === 0) {
        bound2 = bound
        return
      }
      frames--
    } while ((framesSquare[frames] as number) > bound)
    first = framesFirst[frames] as number
    last = framesLast[frames] as number
    node = framesNode[frames] as number
  }
}

const polarSquare = (pole: Coordinate, coords: Int32Array, at: number): number =>
  distance_m(pole, { lat: fromE7(coords[2 * at + 1] as number), lon: fromE7(coords[2 * at] as number) }) ** 2

// The hits so far, as a heap whose top is the worst of them: the farthest, and of equally far ones that of largest id.
let heapSquares = new Float64Array(128)
let heapIds = new Uint32Array(128)
let hits = 0
let capacity = 0
/** The square of the distance beyond which nothing is wanted. */
let bound2 = 0
let unitOrder: UnitOrder | undefined
let queryLat = 0
let queryLon = 0

const begin = (limit: number, radius_m: number, order: UnitOrder | undefined): void => {
  capacity = limit
  unitOrder = order
  hits = 0
  bound2 = radius_m * radius_m
}

/** Takes a unit that is near enough; returns the bound from then on. */
const keep = (id: number, square: number, bound: number): number => {
  if (hits < capacity) {
    if (hits === heapIds.length) growHeap()
    siftUp(hits++, id, square)
    return hits < capacity ? bound : (heapSquares[0] as number)
  }
  if (square < bound || comesBefore(id, heapIds[0] as number)) siftDown(0, hits, id, square)
  return heapSquares[0] as number
}

const growHeap = (): void => {
  const squares = new Float64Array(2 * hits)
  const ids = new Uint32Array(2 * hits)
  squares.set(heapSquares)
  ids.set(heapIds)
  heapSquares = squares
  heapIds = ids
}

const isWorse = (square: number, id: number, at: number): boolean => {
  const other = heapSquares[at] as number
  return square > other || (square === other && comesBefore(heapIds[at] as number, id))
}

const comesBefore = (a: number, b: number): boolean => (unitOrder === undefined ? a < b : unitOrder(a, b) < 0)

const siftUp = (from: number, id: number, square: number): void => {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(square, id, parent)) break
    heapSquares[at] = heapSquares[parent] as number
    heapIds[at] = heapIds[parent] as number
    at = parent
  }
  heapSquares[at] = square
  heapIds[at] = id
}

const siftDown = (from: number, size: number, id: number, square: number): void => {
  let at = from
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    const right = child + 1
    if (right < size && isWorse(heapSquares[right] as number, heapIds[right] as number, child)) child = right
    if (isWorse(square, id, child)) break
    heapSquares[at] = heapSquares[child] as number
    heapIds[at] = heapIds[child] as number
    at = child
  }
  heapSquares[at] = square
  heapIds[at] = id
}

/** Heap sort: takes the worst from the top to the end until the nearest is first. */
const sortHits = (): void => {
  for (let end = hits - 1; end > 0; end--) {
    const id = heapIds[end] as number
    const square = heapSquares[end] as number
    heapIds[end] = heapIds[0] as number
    heapSquares[end] = heapSquares[0] as number
    siftDown(0, end, id, square)
  }
}
