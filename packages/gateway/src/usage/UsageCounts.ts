/**
 * In-memory usage counters of a key: identical requests are counted together. This runs for every request, so it
 * compares values and builds no lookup keys.
 */
import { type Traffic, trafficSlot_ms, trafficSlots, type UsageEvent } from "./UsageLog.ts"

/** Identical requests of one day. */
export interface DayCount extends Pick<UsageEvent, "level" | "operation" | "status"> {
  /** Days since 1970, in UTC. */
  readonly day: number
  requests: number
  credits: number
}

/** Requests in one time slot. */
export interface SlotCount extends Traffic {
  /** Number of slots of length `trafficSlot_ms` since 1970. */
  readonly slot: number
  requests: number
  credits: number
  refused: number
}

/**
 * Counters of one key. There may be many keys with few counters each, so the list is copied when it grows by one: a
 * list that is pushed to reserves room for sixteen.
 */
export class UsageCounts {
  days: ReadonlyArray<DayCount> = []
  /** The current slot; −1 if it is unused. */
  private slot = -1
  private requests = 0
  private credits = 0
  private refused = 0
  /** The slots before it at index `slot % places`, four numbers each. Allocated at full size. */
  private earlier: Array<number> | undefined

  /** Whether an identical request has a counter already. */
  has(event: UsageEvent): boolean {
    return this.find(event) !== undefined
  }

  /**
   * Counts a request.
   *
   * @returns the number of new counters in `days`
   */
  add(event: UsageEvent): 0 | 1 {
    this.addToSlot(event)
    const { credits, level, operation, status } = event
    const count = this.find(event)
    if (count !== undefined) {
      count.requests++
      count.credits += credits
      return 0
    }
    this.days = [...this.days, { day: dayOf(event.at_ms), operation, level, status, requests: 1, credits }]
    return 1
  }

  /** Searches backwards: the counters of the current day are the last ones. */
  private find({ at_ms, level, operation, status }: UsageEvent): DayCount | undefined {
    const day = dayOf(at_ms)
    for (let i = this.days.length - 1; i >= 0; i--) {
      const count = this.days[i] as DayCount
      if (count.operation === operation && count.status === status && count.level === level && count.day === day) {
        return count
      }
    }
    return undefined
  }

  /** The current slot and those of the hour before it, or others after the clock was set back; oldest first. */
  get slots(): ReadonlyArray<SlotCount> {
    const { credits, earlier = [], refused, requests, slot } = this
    if (slot < 0) return []
    const found: Array<SlotCount> = [{ slot, requests, credits, refused }]
    for (let i = 0; i < earlier.length; i += width) {
      const [then = -1, requests = 0, credits = 0, refused = 0] = earlier.slice(i, i + width)
      if (then >= 0) found.push({ slot: then, requests, credits, refused })
    }
    return found.sort((a, b) => a.slot - b.slot)
  }

  private addToSlot({ at_ms, credits, status }: UsageEvent): void {
    const slot = slotOf(at_ms)
    if (slot > this.slot) this.begin(slot)
    const refused = status >= 400 ? 1 : 0
    if (slot < this.slot) this.addEarlier(slot, 1, credits, refused)
    else {
      this.requests++
      this.credits += credits
      this.refused += refused
    }
  }

  /** Moves the current slot to the earlier ones and starts a new one. */
  private begin(slot: number): void {
    if (this.slot >= 0) this.addEarlier(this.slot, this.requests, this.credits, this.refused)
    this.slot = slot
    this.requests = 0
    this.credits = 0
    this.refused = 0
  }

  private addEarlier(slot: number, requests: number, credits: number, refused: number): void {
    const earlier = this.earlier ?? new Array<number>(width * places).fill(-1)
    this.earlier = earlier
    const place = width * (slot % places)
    if (earlier[place] !== slot) earlier.splice(place, width, slot, 0, 0, 0)
    earlier[place + 1] = (earlier[place + 1] as number) + requests
    earlier[place + 2] = (earlier[place + 2] as number) + credits
    earlier[place + 3] = (earlier[place + 3] as number) + refused
  }
}

/** The day of a timestamp, as days since 1970 in UTC. */
export const dayOf = (at_ms: number): number => Math.floor(at_ms / day_ms)

/** A day number as `2026-01-31`. */
export const dateOf = (day: number): string => new Date(day * day_ms).toISOString().slice(0, 10)

/** The slot of a timestamp, as slots since 1970. */
export const slotOf = (at_ms: number): number => Math.floor(at_ms / trafficSlot_ms)

const day_ms = 86_400_000

/** Numbers per slot: its index and three counters. */
const width = 4

/** Number of slots besides the current one. */
const places = trafficSlots - 1
