/** The period of a report. */
import { day_ms, dayOf } from "../../kit/data/days.ts"

/** Days in UTC, `2026-01-31`, both inclusive. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** The maximum period of a report. */
export const maximum_days = 366

/** The given number of days up to today. */
export const lastDays = (days: number, now_ms: number): Period => ({
  from: dayOf(now_ms - (days - 1) * day_ms),
  to: dayOf(now_ms)
})

/** The previous period of equal length. */
export const periodBefore = ({ from, to }: Period): Period => {
  const length_ms = Date.parse(to) - Date.parse(from) + day_ms
  return { from: dayOf(Date.parse(from) - length_ms), to: dayOf(Date.parse(from) - day_ms) }
}

/** Whether a period is valid and at most as long as a report. */
export const isPeriod = ({ from, to }: Period): boolean => {
  const length_ms = Date.parse(to) - Date.parse(from)
  return length_ms >= 0 && length_ms < maximum_days * day_ms
}

/** All days of a period. */
export const daysOf = ({ from, to }: Period): ReadonlyArray<string> =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / day_ms + 1 }, (_, i) =>
    dayOf(Date.parse(from) + i * day_ms)
  )

/** `21 Nov` */
export const shortDay = (day: string): string => format.format(new Date(day))

const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
