/** Days in UTC, as in the service. */

/** The length of a day in milliseconds. */
export const day_ms = 86_400_000

/** The day of a timestamp, `2026-01-31`. */
export const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10)

/** A day of that form, `31 Jan`. */
export const dayName = (day: string): string => nameFormat.format(new Date(day))

const nameFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
