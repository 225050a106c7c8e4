import type { KeyDay } from "@postcode/core/Credits"
import { dayOf } from "@postcode/gateway/usage/UsageCounts"

/** The last two days on which a chain of keys with a daily limit was charged, from 00:00 to 24:00 UTC. */
export class DailySpending {
  /**
   * By day number since 1970. The previous day is kept in case the clock is set back over midnight. Undefined for the
   * many keys without a daily limit.
   */
  private days: Map<number, KeyDay> | undefined

  /** The day of a timestamp; undefined if nothing was charged. */
  on(at_ms: number): KeyDay | undefined {
    return this.days?.get(dayOf(at_ms))
  }

  /** Replaces the day of a timestamp. */
  set(today: KeyDay, at_ms: number): void {
    const day = dayOf(at_ms)
    const days = this.days ?? new Map<number, KeyDay>()
    this.days = days.set(day, today)
    for (const other of days.keys()) if (other < day - 1) days.delete(other)
  }
}
