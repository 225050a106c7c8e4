/** A relative time; its tooltip has the exact time in UTC. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {relatively(at, Date.now())}
  </time>
)

/** A local time with its zone, `24 Nov 2026, 11:19 GMT+1`; its tooltip has the exact time in UTC. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {exactFormat.format(new Date(at))}
  </time>
)

/** The same as text, for titles and sentences. */
export const localTime = (at: string): string => exactFormat.format(new Date(at))

/** The local time of day with its zone, `11:19 GMT+1`. */
export const localHour = (at: string): string => hourFormat.format(new Date(at))

/** `2026-11-21 19:45:07 UTC` */
const exactly = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** `5 minutes ago`, `in 3 days`; a date if it is more than a month away. */
const relatively = (at: string, now_ms: number): string => {
  const difference_s = (Date.parse(at) - now_ms) / 1000
  const size_s = Math.abs(difference_s)
  if (size_s < 45) return difference_s < 0 ? "just now" : "in a moment"
  if (size_s > 31 * 86_400) return dayFormat.format(new Date(at))
  const [unit, length_s] = units.find(([, length_s]) => size_s >= length_s * 0.75) ?? lastUnit
  return relativeFormat.format(Math.round(difference_s / length_s), unit)
}

const lastUnit = ["minute", 60] as const
const units = [["day", 86_400], ["hour", 3_600], lastUnit] as const
const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" })
const hour = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const
const hourFormat = new Intl.DateTimeFormat("en-GB", hour)
const exactFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", ...hour })
