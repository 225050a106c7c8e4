/** Days on the command line: `2026-01-31`. */

import { Result } from "effect"
import { optionalFlag, type Reader } from "../Parameters.ts"

/** Whether a day exists: `Date.parse` reads 30 February as 1 or 2 March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(Date.parse(text)).toISOString().startsWith(text)

/** A day that exists. */
export const day: Reader<string> = (given) =>
  isDay(given) ? Result.succeed(given) : Result.fail("a day such as 2026-01-31")

/** The days of a report. */
export const reportDays = {
  from: optionalFlag("from", {
    read: day,
    metavar: "DAY",
    description: "First day in UTC, YYYY-MM-DD; default: 30 days ago"
  }),
  to: optionalFlag("to", { read: day, metavar: "DAY", description: "Last day in UTC; default: today" })
}
