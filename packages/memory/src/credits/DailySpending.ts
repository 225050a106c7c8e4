import { dayOf } from "@postcode/core/UsageCounts"

/** What one key has charged on each day, from 00:00 to 24:00 UTC: of the last two days that anything was charged on. */
export class DailySpending {
  /**
   * By the number of the day since 1970. The day before is kept, should the clock be set back over midnight. Most keys have
   * no daily limit, and need none.
   */
  private days: Map<number, number> | undefined

  /** Credits charged on the day of a moment. */
  on(at_ms: number): number {
    return this.days?.get(dayOf(at_ms)) ?? 0
  }

  /** Stores what was charged on the day of a moment, in place of what was known. */
  set(credits: number, at_ms: number): void {
    const day = dayOf(at_ms)
    const days = this.days ?? new Map<number, number>()
    this.days = days.set(day, credits)
    for (const other of days.keys()) if (other < day - 1) days.delete(other)
  }
}
