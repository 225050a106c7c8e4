/**
 * The candidates of the current search, unsorted until the end. There is capacity for more than the limit, so that
 * sorting, which drops the surplus, is rarely needed before the end.
 */
import { bound2, plane } from "./SearchPlane.ts"

/** Compares two equally near units: negative if the first one comes first. */
export type UnitOrder = (a: number, b: number) => number

/** Up to this limit hits are always kept sorted. */
export const maxInOrder = 32

/** Number of hits above twice the limit at which the surplus is dropped. */
const surplus = 256
const initialRoom = 1024

export const hits = {
  limit: 0,
  count: 0,
  /** Whether there are `limit` sorted hits within the bound: the last one is at `limit − 1`. */
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
 * Inserts the unsorted hits from `from` on into the sorted ones before, and narrows the bound once there are `limit`.
 * For small limits.
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

/**
 * Sorts a hit among equally near ones. Separate from `takeIn`, because a call of an order would slow down its loops.
 */
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

/** Whether the first of two equally near units comes before the second. */
export const comesBefore = (a: number, b: number): boolean => (order === undefined ? a < b : order(a, b) < 0)

/** Ensures capacity for more hits. */
export const makeRoom = (more: number): void => {
  if (hits.count + more <= hits.ids.length) return
  // Not before twice the limit, so that hits are rarely sorted.
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

/** Drops the hits above the limit, if there are any, and narrows the bound to the last one that stays. */
export const dropSurplus = (): void => {
  if (hits.count < hits.limit) return
  sortHits()
  hits.full = true
  plane[bound2] = Math.min(plane[bound2] as number, hits.squares[hits.limit - 1] as number)
}

/** Sorts the hits, nearest first, and drops those above the limit. */
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
 * Distributes the hits over buckets by the square of the distance, two per hit, which nearly sorts them because units
 * are spread evenly over the ground. Hits above the limit are left out. Returns false if one bucket has too many hits.
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
  // Hits above the limit go after the others.
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

/** For the rare case of hundreds of almost equally near units. It allocates. */
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
