/** Days in UTC, as the service counts them. */

/** How long one is, in milliseconds. */
export const day_ms = 86_400_000

/** The day of a moment, `2026-01-31`. */
export const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10)
