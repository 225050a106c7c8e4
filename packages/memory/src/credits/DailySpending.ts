import { dayOf } from "@postcode/core/UsageCounts"

/** Credits that a key charged per day, from 00:00 to 24:00 UTC, for the last two days with charges. */
export class DailySpending {
  /**
   * By day number since 1970. The previous day is kept in case the clock is set back over midnight. Undefined for the
   * many keys without a daily limit.
   */
  private days: Map<number, number> | undefined

  /** Credits charged on the day of a timestamp. */
  on(at_ms: number): number {
    return this.days?.get(dayOf(at_ms)) ?? 0
  }

  /** Sets the credits charged on the day of a timestamp. */
  set(credits: number, at_ms: number): void {
    const day = dayOf(at_ms)
    const days = this.days ?? new Map<number, number>()
    this.days = days.set(day, credits)
    for (const other of days.keys()) if (other < day - 1) days.delete(other)
  }
}
