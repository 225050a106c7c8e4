/** Reads the cell of a postcode as spreadsheets, databases and people fill it. */
import { cellText, isWordForNothing } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { type Postcode, parse, postcodeInText } from "@postcode/core/Postcode"
import { type Validation, validate, whyNoPostcode } from "@postcode/core/Validation"

/** Why a cell has no postcode at all, so that an address may decide; undefined if it may have one. */
export const whyNoCode = (cell: string): string | undefined => {
  // Programs that take a code for a number write it with decimals.
  const text = cellText(cell)
    .replace(/^['’]/, "")
    .replace(/^(\d+)\.0$/, "$1")
  const reason = whyNoPostcode(text)
  if (reason !== undefined) return reason
  if (/^\d{3,10}$/.test(text)) return "a number is not a postcode; it may be the postal code of another country"
  if (/^\d(\.\d+)?e[+-]?\d+$/i.test(text)) {
    return "a number in scientific notation is not a postcode; a spreadsheet may have changed it"
  }
  if (date.test(text)) return "a date is not a postcode; a spreadsheet may have changed it"
  if (/^#{3,}$/.test(text)) return "the column was too narrow when a spreadsheet saved it"
  return undefined
}

const date =
  /^(?:\d{1,2}[-/. ](?:\d{1,2}|[a-z]{3,9})[-/. ]\d{2,4}|\d{4}[-/]\d{1,2}[-/]\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?$/i

/** The text of a cell without the marks by which spreadsheets keep it as text. */
export const withoutMarks = (cell: string): string => cellText(cell).replace(/^['’=]\s*/, "")

/** Validates a cell. A text that has a postcode and more gets the postcode as a candidate. */
export const validateCell = (directory: Directory, cell: string): Validation => {
  const text = withoutMarks(cell)
  const validation = validate(directory, text)
  if (validation.status !== "malformed") return validation
  const repaired = repairedText(text)
  if (repaired !== undefined) return { ...validation, ...repaired }
  const reason = whyNoCode(cell) ?? whyMore(text)
  if (reason === undefined) return validation
  const within = codesIn(text)
  return { ...validation, reason, candidates: within.length > 0 ? within.slice(0, 3) : validation.candidates }
}

/** What a cell says once it is read as it was meant, if that is a postcode. */
const repairedText = (text: string): Pick<Validation, "candidates" | "reason"> | undefined => {
  const repairs: ReadonlyArray<readonly [string, string | undefined]> = [
    ["the cell has signs of HTML", withoutEntities(text)],
    ["the cell is garbled: UTF-8 was read in another encoding", withoutGarble(text)],
    ["leading zeros are missing", withZeros(text)]
  ]
  for (const [reason, repaired] of repairs) {
    const candidates = repaired === undefined || repaired === text ? [] : codesIn(repaired)
    if (candidates.length === 1) return { reason, candidates }
  }
  return undefined
}

const withoutEntities = (text: string): string =>
  text
    .replace(/&nbsp;/g, " ")
    .replace(/&(?:n|m)dash;/g, "-")
    .replace(/&#(\d{2,5});/g, (_, code) => String.fromCharCode(Number(code)))

/** Undone as often as it was done. */
const withoutGarble = (text: string): string | undefined => {
  let left = text
  for (let times = 0; times < 3 && /[^\0-\x7f]/.test(left); times++) {
    const bytes = Array.from(left, (sign) => byteOf.get(sign))
    if (bytes.includes(undefined)) break
    const read = Buffer.from(bytes as Array<number>).toString("utf8")
    if (read.includes("\ufffd")) break
    left = read
  }
  return left === text ? undefined : left
}

/** The bytes of Windows-1252. */
const byteOf = new Map(
  Array.from(
    new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (sign, byte) => [sign, byte]
  )
)

/** Spreadsheets that split a code, or take its parts for numbers, drop zeros of the LGA and the unit. */
const withZeros = (text: string): string | undefined => {
  const parts = /^([a-z]{2})([- ])(\d{1,2})\2([a-z\d]{3})\2([a-z]{2})\2(\d{1,2})$/i.exec(text.trim())
  if (parts === null) return undefined
  const [, state, , lga = "", district, area, unit = ""] = parts
  return [state, lga.padStart(2, "0"), district, area, unit.padStart(2, "0")].join("-")
}

/** Text that is a postcode except for what people add to it. */
const whyMore = (text: string): string | undefined => {
  const invisible = /\p{Cf}/u.exec(text)?.[0]
  if (invisible !== undefined && codesIn(text).length > 0) {
    const code = invisible.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
    return `the invisible character U+${code} is in the cell`
  }
  const { length } = codesIn(text)
  if (length > 1) return `the cell has ${length} postcodes`
  const rest = text.normalize("NFKC").toUpperCase().replace(codePattern, "")
  return length === 1 && /[\p{L}\p{N}]/u.test(rest) ? "the cell has more than a postcode" : undefined
}

/** The well-formed postcodes in a text, each once. */
export const codesIn = (text: string): ReadonlyArray<Postcode> => {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toUpperCase()
  const codes = Array.from(plain.matchAll(codePattern), ([, ...segments]) => parse(segments.join("-")))
  return [...new Set(codes.flatMap((parsed) => (parsed.ok ? [parsed.postcode] : [])))]
}

/** A whole postcode; nothing that continues the code is before or after it. */
const codePattern = new RegExp(`(?<![\\p{L}\\p{N}])${postcodeInText}(?![\\p{L}\\p{N}])`, "giu")

/** An address without the postcodes in it. */
export const withoutCodes = (text: string): string =>
  text
    .replace(codePattern, " ")
    .replace(/[\s,]+$/, "")
    .trim()

/** A part of an address without a marker of no value. */
export const addressPart = (cell: string): string => {
  const text = cellText(cell)
  return isWordForNothing(text) ? "" : text
}
