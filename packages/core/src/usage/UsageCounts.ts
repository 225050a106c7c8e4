/**
 * What a key is used for, counted in memory, as stores do it: requests that are alike count together. It runs for every
 * request, so it compares values that are there and makes no text to look anything up by.
 */
import { type Traffic, trafficSlot_ms, trafficSlots, type UsageEvent } from "./UsageLog.ts"

/** The requests of one day that are alike. */
export interface DayCount extends Pick<UsageEvent, "level" | "operation" | "status"> {
  /** Days since 1970, in UTC. */
  readonly day: number
  requests: number
  credits: number
}

/** The requests of one piece of time. */
export interface SlotCount extends Traffic {
  /** Pieces of `trafficSlot_ms` since 1970. */
  readonly slot: number
  requests: number
  credits: number
  refused: number
}

/**
 * What one key is used for. There may be as many of these as there are keys, and few counters in each, so a list is made
 * anew for one more: one that is added to is given room for sixteen.
 */
export class UsageCounts {
  days: ReadonlyArray<DayCount> = []
  /** The newest piece of time; the number of one that nothing is in yet is below all others. */
  private slot = -1
  private requests = 0
  private credits = 0
  private refused = 0
  /** Those before it, each at the place of its number, four numbers apiece. All at once, so that it never grows again. */
  private earlier: Array<number> | undefined

  /** Whether a request like this one was counted before, so that one more takes no counter of its own. */
  knows(event: UsageEvent): boolean {
    return this.find(event) !== undefined
  }

  /**
   * Counts a request.
   *
   * @returns how many counters of `days` it takes: 1 or none
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

  /** Few of a key's counters differ on a day, and the day's are the last. */
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

  /** The newest one and as many before it as make an hour, or others that a clock set back came upon; oldest first. */
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

  /** What was the newest piece is an earlier one from now on. */
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

/** The day of a moment, as days since 1970, in UTC. */
export const dayOf = (at_ms: number): number => Math.floor(at_ms / day_ms)

/** Such a day as `2026-01-31`. */
export const dateOf = (day: number): string => new Date(day * day_ms).toISOString().slice(0, 10)

/** The piece of time that a moment belongs to, as pieces since 1970. */
export const slotOf = (at_ms: number): number => Math.floor(at_ms / trafficSlot_ms)

const day_ms = 86_400_000

/** Numbers of a piece of time: which it is, and its three counters. */
const width = 4

/** Pieces of time beside the newest. */
const places = trafficSlots - 1
