/** What the number format of a cell makes of its number: a date, or a number with leading zeros. */

/** Writes a number as its format shows it, or as it is. */
export type CellFormat = (value: number) => string

/** The format of numbers that are shown as they are. */
export const general: CellFormat = (value) => decimalOf(value)

/**
 * @param code the text of the format, such as `00000` or `dd/mm/yyyy`
 * @param is1904 whether the workbook counts days from 1904
 */
export const formatOf = (code: string, is1904: boolean): CellFormat => {
  const plain = withoutLiterals(code.split(";")[0] as string)
  if (isDate(plain)) return (value) => dateOf(value, is1904)
  const digits = zerosIn(code.split(";")[0] as string)
  return digits === undefined ? general : (value) => filled(digits, value)
}

/** The codes of formats that a workbook does not list. */
export const builtInFormat = (id: number): string => {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58) || id === 36) return "yyyy-mm-dd"
  if (id === 22) return "yyyy-mm-dd hh:mm"
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) ? "hh:mm:ss" : "General"
}

/** Without texts, colours and conditions. `[h]` counts hours. */
const withoutLiterals = (code: string): string =>
  code
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(h+|m+|s+)\]/gi, "$1")
    .replace(/\[[^\]]*\]/g, "")

const isDate = (plain: string): boolean =>
  !/general|[0#?]/i.test(plain.replace(/[s.]0+/gi, "")) && /[dmyhs]/i.test(plain)

/** A format that is only zeros and signs between them, with at least two zeros: postal codes, phone numbers. */
const zerosIn = (code: string): string | undefined => {
  const literal = code.replace(/"([^"]*)"|\\(.)/g, "$1$2").replace(/\[[^\]]*\]/g, "")
  return /^[0 ()+/-]*0[0 ()+/-]*0[ )]*$/.test(literal) ? literal : undefined
}

/** `0000-000` with 1234567 is `1234-567`; digits that do not fit come first. */
const filled = (digits: string, value: number): string => {
  if (!Number.isInteger(value) || value < 0) return decimalOf(value)
  const places = digits.replace(/[^0]/g, "").length
  const text = decimalOf(value).padStart(places, "0")
  let at = text.length - places
  const more = text.slice(0, at)
  return digits.replace(/0/g, (_, index: number) => {
    const isFirst = !digits.slice(0, index).includes("0")
    return (isFirst ? more : "") + text[at++]
  })
}

/** With 15 digits, as spreadsheets have them: 6.6194000000000006 is 6.6194. Without an exponent. */
const decimalOf = (value: number): string => {
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  if (!text.includes("e")) return text
  return Math.abs(rounded) >= 1 ? BigInt(rounded).toString() : rounded.toFixed(20).replace(/0+$/, "")
}

/** `2026-01-31`, `2026-01-31 14:30:00`, or `14:30:00`. A number that is no date stays one. */
const dateOf = (value: number, is1904: boolean): string => {
  if (!(value >= 0 && value < 2_958_466)) return decimalOf(value)
  // 1900 is a leap year to spreadsheets, so that days before 1900-03-01 are counted from another day.
  const day = is1904 ? value + 1_462 : value < 60 ? value + 1 : value
  const text = new Date(Math.round((day - 25_569) * 86_400) * 1_000).toISOString()
  const time = text.slice(11, 19)
  if (value < 1 && !is1904) return time
  return Number.isInteger(value) ? text.slice(0, 10) : `${text.slice(0, 10)} ${time}`
}
