/** How long a balance lasts. It stands alone, so that a page which shows it loads nothing else. */

/** What was spent on a day, or on part of what was done on it. */
export interface DaySpending {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  readonly credits: number
}

/**
 * For how many whole days a balance lasts if credits are spent on as until now: at the average of the days since the first
 * on which any were, where today counts as far as it is over. Below one day there is no average, so what was spent counts
 * as if it were a day's.
 *
 * @param days the last 30 days, today as the last; in any order, a day more than once or, if nothing was spent, not at all
 * @param now_ms milliseconds since 1970
 * @returns undefined if nothing was spent, so that there is no end in sight
 * @example daysLeft(100, [{ date: "2026-01-30", credits: 15 }, { date: "2026-01-31", credits: 15 }],
 *   Date.parse("2026-01-31T12:00:00Z")) // 5: thirty in a day and a half are twenty a day
 */
export const daysLeft = (balance: number, days: ReadonlyArray<DaySpending>, now_ms: number): number | undefined => {
  let spent = 0
  let first = ""
  for (const { credits, date } of days) {
    if (credits === 0) continue
    spent += credits
    if (first === "" || date < first) first = date
  }
  if (spent === 0) return undefined
  const elapsed_days = Math.max(1, (now_ms - Date.parse(first)) / day_ms)
  return Math.max(0, Math.floor((balance * elapsed_days) / spent))
}

const day_ms = 86_400_000
