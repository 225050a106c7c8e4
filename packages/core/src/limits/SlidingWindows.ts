/**
 * Counts requests of many subjects, each in a window of one minute that slides.
 *
 * A subject has a counter for each second, and with it the time of that second's last request. A second leaves the
 * window when its last request is `window_s` old, all of it at once: so no request is let go too early, and none is
 * kept for more than a second too long. All counters lie in typed arrays: 400 bytes a subject, none of them for the
 * garbage collector. When there is no more room, the subject that asked longest ago is forgotten.
 */
import { type RateDecision, window_s } from "./RateLimiter.ts"

/** Counters of a subject, as a power of two: the window, the second that is half in it, and some to spare. */
const slots = 64
/** How many subjects room is made for at a time. */
const blockSize = 1024
const window_ms = window_s * 1000
const none = -1

interface Block {
  readonly counts: Uint32Array
  /** Of the last request in each second, the milliseconds since that second began. */
  readonly latest_ms: Uint16Array
}

export class SlidingWindows {
  private readonly maximumSubjects: number
  private readonly indexes = new Map<string, number>()
  private readonly subjects: Array<string> = []
  private readonly blocks: Array<Block> = []
  /** By subject: requests in the window, the second up to which it is counted, and the last one with a request. */
  private totals = new Float64Array(0)
  private seconds = new Int32Array(0)
  private busiest = new Int32Array(0)
  /** Subjects in the order in which they asked, as a chain. */
  private older = new Int32Array(0)
  private newer = new Int32Array(0)
  private oldest = none
  private newest = none

  constructor(maximumSubjects: number) {
    this.maximumSubjects = maximumSubjects
  }

  /** The number of subjects that are remembered. */
  get size(): number {
    return this.indexes.size
  }

  /** @param now_ms a time that never goes backwards, from any origin less than 60 years away */
  take(subject: string, limit: number, cost: number, now_ms: number): RateDecision {
    const known = this.indexes.get(subject)
    if (known === undefined && cost === 0) {
      return { allowed: true, limit, remaining: limit, reset_s: 0, retry_after_s: limit > 0 ? 0 : window_s }
    }
    const index = known ?? this.admit(subject)
    this.moveToFront(index)
    const second = Math.floor(now_ms / 1000)
    this.slide(index, second, now_ms - 1000 * second)
    const allowed = cost === 0 || (this.totals[index] as number) + cost <= limit
    if (allowed && cost > 0) this.count(index, second, now_ms - 1000 * second, cost)
    const total = this.totals[index] as number
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - total),
      reset_s: total === 0 ? 0 : this.secondsUntilGone(index, this.busiest[index] as number, now_ms),
      retry_after_s: total < limit ? 0 : this.secondsUntilBelow(index, limit, second, now_ms)
    }
  }

  private count(index: number, second: number, ms: number, cost: number): void {
    const { counts, latest_ms } = this.blockOf(index)
    const slot = slotOf(index, second)
    counts[slot] = (counts[slot] as number) + cost
    latest_ms[slot] = ms
    this.totals[index] = (this.totals[index] as number) + cost
    this.busiest[index] = second
  }

  /** Lets go of what has left the window. */
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
    let gone = 0
    for (let past = second - elapsed_s - window_s; past < second - window_s; past++) {
      const slot = slotOf(index, past)
      gone += counts[slot] as number
      counts[slot] = 0
    }
    const half = slotOf(index, second - window_s)
    if ((latest_ms[half] as number) <= ms) {
      gone += counts[half] as number
      counts[half] = 0
    }
    this.totals[index] = (this.totals[index] as number) - gone
  }

  private secondsUntilGone(index: number, second: number, now_ms: number): number {
    const latest_ms = this.blockOf(index).latest_ms[slotOf(index, second)] as number
    return Math.ceil((1000 * second + latest_ms + window_ms - now_ms) / 1000)
  }

  /** Until fewer than `limit` requests are left in the window. */
  private secondsUntilBelow(index: number, limit: number, second: number, now_ms: number): number {
    const { counts } = this.blockOf(index)
    let left = this.totals[index] as number
    for (let past = second - window_s; past <= second; past++) {
      left -= counts[slotOf(index, past)] as number
      if (left < limit) return this.secondsUntilGone(index, past, now_ms)
    }
    return window_s
  }

  private admit(subject: string): number {
    const index = this.indexes.size < this.maximumSubjects ? this.indexes.size : this.forgetOldest()
    if (index === this.blocks.length * blockSize) this.addBlock()
    this.indexes.set(subject, index)
    this.subjects[index] = subject
    return index
  }

  /** Frees the room of the subject that asked longest ago. */
  private forgetOldest(): number {
    const index = this.oldest
    this.indexes.delete(this.subjects[index] as string)
    this.blockOf(index).counts.fill(0, slotOf(index, 0), slotOf(index, 0) + slots)
    this.totals[index] = 0
    return index
  }

  private moveToFront(index: number): void {
    if (index === this.newest) return
    const older = this.older[index] as number
    const newer = this.newer[index] as number
    if (newer !== none) {
      this.older[newer] = older
      if (older === none) this.oldest = newer
      else this.newer[older] = newer
    }
    this.older[index] = this.newest
    this.newer[index] = none
    if (this.newest === none) this.oldest = index
    else this.newer[this.newest] = index
    this.newest = index
  }

  private addBlock(): void {
    this.blocks.push({
      counts: new Uint32Array(blockSize * slots),
      latest_ms: new Uint16Array(blockSize * slots)
    })
    this.totals = grown(this.totals, new Float64Array(this.totals.length + blockSize))
    this.seconds = grown(this.seconds, new Int32Array(this.seconds.length + blockSize))
    this.busiest = grown(this.busiest, new Int32Array(this.busiest.length + blockSize))
    this.older = grown(this.older, new Int32Array(this.older.length + blockSize).fill(none))
    this.newer = grown(this.newer, new Int32Array(this.newer.length + blockSize).fill(none))
  }

  private blockOf(index: number): Block {
    return this.blocks[Math.trunc(index / blockSize)] as Block
  }
}

const slotOf = (index: number, second: number): number => (index % blockSize) * slots + (second & (slots - 1))

const grown = <A extends Float64Array | Int32Array>(from: A, to: A): A => {
  to.set(from)
  return to
}
