/** How long a balance lasts. A separate module, so that web pages can load only this. */

/** Credits spent on a day; a day may have several parts. */
export interface DaySpending {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  readonly credits: number
}

/**
 * The number of whole days for which a balance lasts at the average daily spending, from the first day with spending
 * until now. If that is less than one day, it counts as one.
 *
 * @param days the last 30 days including today, in any order; days may repeat, and days without spending may be missing
 * @param now_ms milliseconds since 1970
 * @returns undefined if nothing was spent
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
