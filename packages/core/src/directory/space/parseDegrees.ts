/** Reads latitudes and longitudes as people and programs write them. */
import { parseDecimal } from "../../Decimal.ts"

/** The letters of the two directions of an axis: the positive one, then the negative one. */
const letters = { lat: "NS", lon: "EW" } as const

/**
 * Degrees with a sign, a decimal comma, a degree sign, minutes and seconds, or the letter of a direction; NaN if the
 * text is none of these.
 *
 * ```ts
 * parseDegrees("6,59838", "lat") // 6.59838
 * parseDegrees("6°35'54\"N", "lat") // 6.598333…
 * ```
 */
export const parseDegrees = (text: string, axis: "lat" | "lon"): number => {
  const trimmed = text.trim().replace(/^'/, "")
  const plain = parseDecimal(trimmed)
  if (Number.isFinite(plain)) return plain
  const [positive, negative] = letters[axis]
  const upper = trimmed.replace(/−/g, "-").toUpperCase()
  const parts = pattern.exec(upper) ?? receiverPattern.exec(upper)
  if (parts === null) return Number.NaN
  const [, before = "", sign = "", degrees = "", minutes = "0", seconds = "0", after = ""] = parts
  const letter = before + after
  const isOther = letter !== "" && letter !== positive && letter !== negative
  if (isOther || (letter !== "" && sign !== "")) return Number.NaN
  const [whole, sixtieths, rest] = [degrees, minutes, seconds].map((part) => Number(part.replace(",", ".")))
  if ((sixtieths as number) >= 60 || (rest as number) >= 60) return Number.NaN
  const value = (whole as number) + (sixtieths as number) / 60 + (rest as number) / 3600
  return sign === "-" || letter === negative ? -value : value
}

const number = String.raw`\d{1,3}(?:[.,]\d+)?`
const pattern = new RegExp(
  String.raw`^([NSEW])?\s*([+-])?(${number})\s*[°º]?\s*(?:(${number})\s*['′’]\s*(?:(${number})\s*(?:"|″|”|'')\s*)?)?([NSEW])?$`
)
/** `N6 35.9028`, `6 35 54 N`: receivers write no signs of minutes and seconds. Without a letter, these may be two numbers. */
const receiverPattern =
  /^(?=[NSEW]|.*[NSEW]$)([NSEW])?\s*([+-])?(\d{1,3})[°º\s]\s*(\d{1,2}(?:[.,]\d+)?)(?:\s+(\d{1,2}(?:[.,]\d+)?))?\s*([NSEW])?$/
