/**
 * The hits of the present search: units that may be among the nearest, in no order until they are sorted. There is room
 * for more than are wanted, so that sorting, which drops those that are too much, is due seldom but at the end.
 */
import { bound2, plane } from "./SearchPlane.ts"

/** Compares two units that are equally near: negative if the first one comes first. */
export type UnitOrder = (a: number, b: number) => number

/** Up to this limit hits are kept in order all the time. */
export const maxInOrder = 32

/** How many hits beyond twice the limit are worth being dropped. */
const surplus = 256
const initialRoom = 1024

export const hits = {
  limit: 0,
  count: 0,
  /** Whether as many as wanted are as near as the bound: then the last of them is at `limit − 1`. */
  full: false,
  squares: new Float64Array(initialRoom),
  ids: new Uint32Array(initialRoom)
}

let order: UnitOrder | undefined
let sorted = 0
let otherSquares = new Float64Array(initialRoom)
let otherIds = new Uint32Array(initialRoom)

export const beginHits = (limit: number, unitOrder: UnitOrder | undefined): void => {
  order = unitOrder
  sorted = 0
  hits.limit = limit
  hits.count = 0
  hits.full = false
}

/**
 * Takes the hits from there on, which are in no order, in among those before, which are; and narrows the bound once there
 * are enough. For small limits.
 */
export const takeIn = (from: number): void => {
  const { count, ids, limit, squares } = hits
  let kept = from
  for (let next = from; next < count; next++) {
    const square = squares[next] as number
    const id = ids[next] as number
    let at = kept
    if (kept === limit) {
      at--
      const last = squares[at] as number
      if (square > last || (square === last && !comesBefore(id, ids[at] as number))) continue
    } else kept++
    while (at > 0 && (squares[at - 1] as number) > square) {
      squares[at] = squares[at - 1] as number
      ids[at] = ids[at - 1] as number
      at--
    }
    squares[at] = square
    ids[at] = id
    if (at > 0 && squares[at - 1] === square) placeAmongEqual(at)
  }
  hits.count = kept
  sorted = kept
  if (kept === limit) plane[bound2] = squares[limit - 1] as number
}

/** Moves a hit to its place among those as near. Apart from `takeIn`, as calling an order slows down the loops around. */
const placeAmongEqual = (from: number): void => {
  const { ids, squares } = hits
  const id = ids[from] as number
  let at = from
  while (at > 0 && squares[at - 1] === squares[from] && comesBefore(id, ids[at - 1] as number)) {
    ids[at] = ids[at - 1] as number
    at--
  }
  ids[at] = id
}

/** Whether the first of two equally near units comes before the second one. */
export const comesBefore = (a: number, b: number): boolean => (order === undefined ? a < b : order(a, b) < 0)

/** Makes room for so many more hits. */
export const makeRoom = (more: number): void => {
  if (hits.count + more <= hits.ids.length) return
  // Twice the limit, so that as many as wanted are of the index that is searched at the time.
  if (hits.count >= 2 * hits.limit + surplus) dropSurplus()
  if (hits.count + more <= hits.ids.length) return
  const { ids, squares } = hits
  const room = 2 * (hits.count + more)
  hits.squares = new Float64Array(room)
  hits.ids = new Uint32Array(room)
  hits.squares.set(squares)
  hits.ids.set(ids)
  otherSquares = new Float64Array(room)
  otherIds = new Uint32Array(room)
}

/** Drops the hits that are too much, if there are such, and narrows the bound to the last one that stays. */
export const dropSurplus = (): void => {
  if (hits.count < hits.limit) return
  sortHits()
  hits.full = true
  plane[bound2] = Math.min(plane[bound2] as number, hits.squares[hits.limit - 1] as number)
}

/** Forgets the hits behind the first `count`, none of which were sorted. */
export const restoreHits = (count: number): void => {
  hits.count = count
}

/** Sorts the hits, nearest first, and drops those that are too much. */
export const sortHits = (): void => {
  if (sorted === hits.count) return
  const spread = hits.count <= fewHits || intoBuckets()
  if (spread) sortByInsertion(hits.squares, hits.ids, hits.count)
  else sortByComparison()
  hits.count = Math.min(hits.count, hits.limit)
  sorted = hits.count
}

const fewHits = 12
const maxInBucket = 64
const buckets = new Uint32Array(2049)

/**
 * Squares of distances are spread as evenly as units are over the ground: two buckets for each hit put them almost into
 * order. What lies beyond the limit is left out. Returns false if it does not help, as many hits are in one bucket.
 */
const intoBuckets = (): boolean => {
  const { count, ids, limit, squares } = hits
  const bucketCount = Math.min(2 * count, buckets.length - 1)
  const last = bucketCount - 1
  const scale = (bucketCount - 1) / (plane[bound2] as number)
  buckets.fill(0, 0, bucketCount)
  for (let at = 0; at < count; at++) {
    const bucket = Math.min((squares[at] as number) * scale, last) | 0
    buckets[bucket] = (buckets[bucket] as number) + 1
  }
  let kept = 0
  let end = 0
  for (; end < bucketCount && kept < limit; end++) {
    const size = buckets[end] as number
    if (size > maxInBucket) return false
    buckets[end] = kept
    kept += size
  }
  // Whatever lies beyond the limit goes behind the others.
  const beyond = Math.min(end, last)
  buckets[end] = kept
  for (let at = 0; at < count; at++) {
    const bucket = Math.min((squares[at] as number) * scale, beyond) | 0
    const to = buckets[bucket] as number
    buckets[bucket] = to + 1
    otherSquares[to] = squares[at] as number
    otherIds[to] = ids[at] as number
  }
  exchange(kept)
  return true
}

const sortByInsertion = (squares: Float64Array, ids: Uint32Array, count: number): void => {
  for (let from = 1; from < count; from++) {
    const square = squares[from] as number
    const id = ids[from] as number
    let at = from
    while (at > 0) {
      const other = squares[at - 1] as number
      if (other < square || (other === square && comesBefore(ids[at - 1] as number, id))) break
      squares[at] = other
      ids[at] = ids[at - 1] as number
      at--
    }
    squares[at] = square
    ids[at] = id
  }
}

/** For the seldom case of hundreds of units almost equally near; it allocates. */
const sortByComparison = (): void => {
  const { count, ids, squares } = hits
  const places = Uint32Array.from({ length: count }, (_, at) => at)
  places.sort((a, b) => {
    const difference = (squares[a] as number) - (squares[b] as number)
    return difference !== 0 ? difference : comesBefore(ids[a] as number, ids[b] as number) ? -1 : 1
  })
  for (let at = 0; at < count; at++) {
    otherSquares[at] = squares[places[at] as number] as number
    otherIds[at] = ids[places[at] as number] as number
  }
  exchange(count)
}

const exchange = (count: number): void => {
  const { ids, squares } = hits
  hits.squares = otherSquares
  hits.ids = otherIds
  hits.count = count
  otherSquares = squares
  otherIds = ids
}
