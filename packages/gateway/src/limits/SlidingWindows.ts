/**
 * Counts requests of many subjects, each in a sliding window of one minute.
 *
 * Each subject has a counter per second and the time of that second's last request. A second leaves the window as a
 * whole when its last request is `window_s` old: no request expires too early, and none more than one second too late.
 * Counters are in typed arrays, 400 bytes per subject, invisible to the garbage collector. At capacity, the least
 * recently used subject is evicted, and its counters are used again.
 */
import { LRUCache } from "lru-cache"
import { type RateDecision, window_s } from "./RateLimiter.ts"

/** Counters per subject, a power of two: the window, the second that is partly in it, and spare ones. */
const slots = 64
/** Number of subjects per allocation. */
const blockSize = 1024
const window_ms = window_s * 1000

interface Block {
  readonly counts: Uint32Array
  /** Time of the last request in each second, in milliseconds from the start of that second. */
  readonly latest_ms: Uint16Array
}

export class SlidingWindows {
  private readonly maxSubjects: number
  private readonly indexes: LRUCache<string, number>
  private readonly blocks: Array<Block> = []
  /** By subject: requests in the window, the last second processed, and the last second with a request. */
  private totals = new Float64Array(0)
  private seconds = new Int32Array(0)
  private lastUsed = new Int32Array(0)

  constructor(maxSubjects: number) {
    this.maxSubjects = maxSubjects
    // Unlike `max`, `maxSize` allocates no memory in advance.
    this.indexes = new LRUCache({ maxSize: maxSubjects, sizeCalculation: () => 1 })
  }

  /** Number of subjects in memory. */
  get size(): number {
    return this.indexes.size
  }

  /** @param now_ms monotonic time, from any origin less than 60 years ago */
  take(subject: string, limit: number, cost: number, now_ms: number): RateDecision {
    const known = this.indexes.get(subject)
    if (known === undefined && cost === 0) {
      return { allowed: true, limit, remaining: limit, reset_s: 0, retry_after_s: limit > 0 ? 0 : window_s }
    }
    const index = known ?? this.admit(subject)
    const second = Math.floor(now_ms / 1000)
    this.slide(index, second, now_ms - 1000 * second)
    const allowed = cost === 0 || (this.totals[index] as number) + cost <= limit
    if (allowed && cost > 0) this.count(index, second, now_ms - 1000 * second, cost)
    const total = this.totals[index] as number
    const next = allowed ? 1 : cost
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - total),
      reset_s: total === 0 ? 0 : this.secondsUntilExpired(index, this.lastUsed[index] as number, now_ms),
      retry_after_s: total + next <= limit ? 0 : this.secondsUntilRoom(index, limit - next, second, now_ms)
    }
  }

  private count(index: number, second: number, ms: number, cost: number): void {
    const { counts, latest_ms } = this.blockOf(index)
    const slot = slotOf(index, second)
    counts[slot] = (counts[slot] as number) + cost
    latest_ms[slot] = ms
    this.totals[index] = (this.totals[index] as number) + cost
    this.lastUsed[index] = second
  }

  /** Removes counters that have left the window. */
  private slide(index: number, second: number, ms: number): void {
    const { counts, latest_ms } = this.blockOf(index)
    const elapsed_s = second - (this.seconds[index] as number)
    this.seconds[index] = second
    if ((this.totals[index] as number) === 0) return
    if (elapsed_s > window_s) {
      counts.fill(0, slotOf(index, 0), slotOf(index, 0) + slots)
      this.totals[index] = 0
      return
    }
    let expired = 0
    for (let past = second - elapsed_s - window_s; past < second - window_s; past++) {
      const slot = slotOf(index, past)
      expired += counts[slot] as number
      counts[slot] = 0
    }
    const partial = slotOf(index, second - window_s)
    if ((latest_ms[partial] as number) <= ms) {
      expired += counts[partial] as number
      counts[partial] = 0
    }
    this.totals[index] = (this.totals[index] as number) - expired
  }

  private secondsUntilExpired(index: number, second: number, now_ms: number): number {
    const latest_ms = this.blockOf(index).latest_ms[slotOf(index, second)] as number
    return Math.ceil((1000 * second + latest_ms + window_ms - now_ms) / 1000)
  }

  /** Seconds until at most `most` requests are in the window; the window's length if that is below 0. */
  private secondsUntilRoom(index: number, most: number, second: number, now_ms: number): number {
    const { counts } = this.blockOf(index)
    let left = this.totals[index] as number
    for (let past = second - window_s; past <= second; past++) {
      left -= counts[slotOf(index, past)] as number
      if (left <= most) return this.secondsUntilExpired(index, past, now_ms)
    }
    return window_s
  }

  private admit(subject: string): number {
    const { size } = this.indexes
    const index = size < this.maxSubjects ? size : this.evictOldest()
    if (index === this.blocks.length * blockSize) this.addBlock()
    this.indexes.set(subject, index)
    return index
  }

  /** Evicts the least recently used subject and returns its index. */
  private evictOldest(): number {
    const index = this.indexes.pop() as number
    this.blockOf(index).counts.fill(0, slotOf(index, 0), slotOf(index, 0) + slots)
    this.totals[index] = 0
    return index
  }

  private addBlock(): void {
    this.blocks.push({
      counts: new Uint32Array(blockSize * slots),
      latest_ms: new Uint16Array(blockSize * slots)
    })
    this.totals = grow(this.totals, new Float64Array(this.totals.length + blockSize))
    this.seconds = grow(this.seconds, new Int32Array(this.seconds.length + blockSize))
    this.lastUsed = grow(this.lastUsed, new Int32Array(this.lastUsed.length + blockSize))
  }

  private blockOf(index: number): Block {
    return this.blocks[Math.trunc(index / blockSize)] as Block
  }
}

const slotOf = (index: number, second: number): number => (index % blockSize) * slots + (second & (slots - 1))

const grow = <A extends Float64Array | Int32Array>(from: A, to: A): A => {
  to.set(from)
  return to
}
