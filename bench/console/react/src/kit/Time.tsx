/** A relative time; its tooltip has the exact time in UTC. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}>
    {relatively(at, Date.now())}
  </time>
)

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
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" })
