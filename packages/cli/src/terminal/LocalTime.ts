/** Times for people: in the time zone of the computer, and with its offset. JSON keeps UTC. */

/** `2026-01-31T12:00:00.000Z` → `2026-01-31 13:00:00 +01:00` in Lagos. Any other text is returned as it is. */
export const localTime = (text: string): string => {
  if (!utcTime.test(text)) return text
  const at = new Date(text)
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-")
  return `${date} ${clockTime(text)} ${offset(-at.getTimezoneOffset())}`
}

/** `2026-01-31T12:00:00.000Z` → `13:00:00` in Lagos. */
export const clockTime = (text?: string): string => {
  const at = text === undefined ? new Date() : new Date(text)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const offset = (minutes: number): string => {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const two = (value: number): string => String(value).padStart(2, "0")
