/**
 * Finds how a file of rows is written, by its first bytes: encoding, line ends, delimiter, and the line of the header. A
 * file with two possible readings is refused.
 */
import { CsvReader } from "./Csv.ts"
import type { CsvRow } from "./CsvRow.ts"
import { otherFormat, otherTextFormat } from "./otherFormat.ts"
import type { Backslashes } from "./RowScan.ts"
import { type Encoding, makeDecoder } from "./TextCoding.ts"
import { encodingOf, isUndefinedInWindows1252, type SourceText } from "./Utf8Conversion.ts"

/** How a file is written. */
export interface FileForm extends SourceText {
  readonly delimiter: string
  /** What backslashes escape. */
  readonly backslash: Backslashes | undefined
  /** The number of lines before the header, or before the first row of a file without one. */
  readonly skipLines: number
  /** The line of the header or of the first row, from 1. */
  readonly firstLine: number
  /** The number of columns of the first row. */
  readonly columns: number
  /** Whether the header lacks the name of the first column, which has the numbers of the rows, as R writes tables. */
  readonly lacksFirstName: boolean
}

/** What the user knows of a file. */
export interface FormOptions {
  /** Default: the one that the first rows fit. */
  readonly delimiter?: string | undefined
  /** The number of lines before the header. Default: those before the first row that `isHeader`. */
  readonly skipLines?: number | undefined
  /** Whether a row may be the header, by its fields. */
  readonly isHeader?: ((fields: ReadonlyArray<string>) => boolean) | undefined
  /** Whether the first row is data. Then `isHeader` only helps to choose the delimiter. */
  readonly noHeader?: boolean | undefined
}

/** A form, or the reason why the file is not read. */
export type FormResult =
  | { readonly ok: true; readonly form: FileForm }
  | { readonly ok: false; readonly reason: string }

/** The number of bytes that are looked at. */
export const sampleBytes = 65_536

/** @param isWhole whether the sample is the whole file */
export const findForm = (sample: Uint8Array, isWhole: boolean, options: FormOptions = {}): FormResult => {
  const other = otherFormat(sample)
  if (other !== undefined) return refused(`this is ${other}`)
  const encoding = sourceEncoding(sample)
  if (typeof encoding !== "string") return encoding
  const text = makeDecoder(encoding === "ascii" ? "utf-8" : encoding)
    .decode(sample)
    .replace(/^\ufeff/, "")
  const otherText = otherTextFormat(text)
  if (otherText !== undefined) return refused(`this is ${otherText}`)
  const endsWithReturn = !text.includes("\n") && /\r(?!$)/.test(text)
  const lines = endsWithReturn ? text.replaceAll("\r", "\n") : text
  const whole = isWhole ? withoutEndMarks(lines) : lines.slice(0, lines.lastIndexOf("\n") + 1)
  const rows = formOfRows(whole, isWhole, options)
  return rows.ok ? { ok: true, form: { ...rows.form, encoding, endsWithReturn } } : rows
}

/** `UTF-16, tab, header in line 3, 9 columns`, or what of it is unusual; undefined if the file is plain. */
export const describeForm = (form: FileForm, noHeader = false): string | undefined => {
  const { backslash, columns, delimiter, encoding, endsWithReturn, firstLine, lacksFirstName } = form
  const isUtf8 = encoding === "ascii" || encoding === "utf-8"
  const isUsual = isUtf8 && !endsWithReturn && backslash === undefined && delimiter === ","
  if (isUsual && firstLine === 1 && !lacksFirstName) return undefined
  return [
    ...(isUsual ? [] : [encodingNames[encoding], nameOfDelimiter(delimiter)]),
    ...(endsWithReturn ? ["lines that end with CR"] : []),
    ...(backslash === undefined ? [] : [`${escapedNames[backslash]} escaped by backslashes`]),
    `${noHeader ? "first row" : "header"} in line ${firstLine}`,
    columns === 1 ? "1 column" : `${columns} columns`,
    ...(lacksFirstName ? ["no name of the first column"] : [])
  ].join(", ")
}

/** The warning of an encoding that the bytes do not show for sure; undefined if they do. */
export const encodingWarning = ({ encoding }: Pick<FileForm, "encoding">): string | undefined =>
  encoding === "windows-1252" || encoding === "macintosh"
    ? `warning: it is not UTF-8, so it is read as ${encodingNames[encoding]}; check names with accents and signs`
    : undefined

/** `semicolon` for `;` */
const nameOfDelimiter = (delimiter: string): string => delimiterNames[delimiter] ?? `delimiter ${delimiter}`

const encodingNames: Readonly<Record<FileForm["encoding"], string>> = {
  ascii: "UTF-8",
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252",
  macintosh: "Mac OS Roman"
}

const escapedNames: Readonly<Record<Backslashes, string>> = { quotes: "quotes", everything: "delimiters and line ends" }

const delimiterNames: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" }

type Refused = Extract<FormResult, { readonly ok: false }>

const refused = (reason: string): Refused => ({ ok: false, reason })

const saveAsUtf8 = "save it as CSV UTF-8"

const sourceEncoding = (sample: Uint8Array): Encoding | "ascii" | Refused => {
  const [first, second, third, fourth] = sample
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return refused(`this is UTF-32: ${saveAsUtf8}`)
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return refused(`this is UTF-32: ${saveAsUtf8}`)
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  const lineEnd = sample.indexOf(0x0a)
  if (sample.subarray(0, lineEnd < 0 ? sample.length : lineEnd + 2).includes(0)) return utf16WithoutMark(sample)
  const encoding = encodingOf(sample)
  // Only old programs of the Macintosh end lines with a carriage return alone.
  if (encoding === "windows-1252" && lineEnd < 0 && sample.includes(0x0d)) return "macintosh"
  return encoding === "windows-1252" && sample.some(isUndefinedInWindows1252)
    ? refused(`it is neither UTF-8 nor Windows-1252: ${saveAsUtf8}`)
    : encoding
}

/** The header of a file has letters of ASCII, of which every second byte is zero in UTF-16. */
const utf16WithoutMark = (sample: Uint8Array): Encoding | Refused => {
  const start = sample.subarray(0, 32)
  const isZeroAt = (rest: number) => start.every((byte, at) => (byte === 0) === (at % 2 === rest))
  if (isZeroAt(1)) return "utf-16le"
  if (isZeroAt(0)) return "utf-16be"
  return refused(`it holds zero bytes: expected text, not a binary file; ${saveAsUtf8}`)
}

/** One way to read the rows of a sample. */
interface Reading {
  readonly delimiter: string
  readonly backslash: Backslashes | undefined
  readonly rows: ReadonlyArray<CsvRow>
  readonly malformed: number
  /** The first line that is malformed; infinity if none is. */
  readonly firstMalformed: number
  /** The index of the header in the rows; 0 if none is recognized. */
  readonly header: number
  readonly hasHeader: boolean
  readonly columns: number
  /** Rows after the header whose number of fields differs. */
  readonly longer: number
  readonly shorter: number
}

type FormOfRows = Pick<FileForm, "backslash" | "columns" | "delimiter" | "firstLine" | "lacksFirstName" | "skipLines">

interface FoundRows {
  readonly ok: true
  readonly form: FormOfRows
}

const formOfRows = (text: string, isWhole: boolean, options: FormOptions): FoundRows | Refused => {
  const declared = /^"?sep=([^\r\n"])"?[ \t,;]*\r?(?:\n|$)/i.exec(text)
  const skipLines = Math.max(options.skipLines ?? 0, declared === null ? 0 : 1)
  const given = options.delimiter ?? declared?.[1]
  const readWith = (delimiter: string) => bestQuoting(text, isWhole, { delimiter, skipLines, options })
  const readings = (given === undefined ? usualDelimiters : [given]).map(readWith)
  const reading = chosen(readings)
  if (!("delimiter" in reading)) return reading
  const names = reading.rows[reading.header]?.fields ?? []
  if (names.length > 1 && names.every((name) => /^'.*'$/.test(name)))
    return refused("its fields are in apostrophes: save it with quotes around texts, as CSV UTF-8")
  if (given === undefined && reading.columns === 1) {
    const other = readOtherwise(reading, options, readWith)
    if (other !== undefined) return other
  }
  return formOf(reading, skipLines, options)
}

const formOf = (reading: Reading, skipLines: number, { noHeader = false }: FormOptions): FoundRows => {
  const { backslash, columns, delimiter, firstMalformed, hasHeader, header, rows } = reading
  const line = rows[header]?.line ?? skipLines + 1
  const firstLine = hasHeader ? line : Math.min(line, firstMalformed)
  // Blank lines before the header are not skipped: the readers pass them on.
  const skipped = header > 0 || firstMalformed < firstLine ? firstLine - 1 : skipLines
  const lacksFirstName = !noHeader && firstLine === 1 && skipped === 0 && haveNumbers(rows.slice(header + 1), columns)
  return {
    ok: true,
    form: {
      delimiter,
      backslash,
      skipLines: skipped,
      firstLine,
      columns: columns + Number(lacksFirstName),
      lacksFirstName
    }
  }
}

/** Whether all rows have one field more than the header: first their numbers, in ascending order. */
const haveNumbers = (rows: ReadonlyArray<CsvRow>, columns: number): boolean => {
  let last = 0
  for (const { fields } of rows) {
    const [first = ""] = fields
    if (lengthWithoutSurplus(fields, columns) !== columns + 1 || !/^[1-9]\d{0,8}$/.test(first) || Number(first) <= last)
      return false
    last = Number(first)
  }
  return rows.length > 0
}

const usualDelimiters: ReadonlyArray<string> = [",", ";", "\t", "|"]
/** Read only if they lead to a header: they are frequent in texts. */
const rareDelimiters: ReadonlyArray<string> = ["^", "~", ":", "\u0001", "\u001f"]

/** A file whose rows have one field each in the usual readings, but whose first row has the names of several columns. */
const readOtherwise = (
  { header, rows }: Reading,
  options: FormOptions,
  readWith: (delimiter: string) => Reading
): FoundRows | Refused | undefined => {
  const { isHeader, noHeader = false, skipLines = 0 } = options
  const [first = "", ...others] = rows[header]?.fields ?? []
  if (isHeader === undefined || noHeader || others.length > 0) return undefined
  const names = (separator: RegExp | string) => first.trim().split(separator)
  const isTable = (separator: RegExp | string) =>
    names(separator).length > 1 && isHeader(names(separator).map(withoutQuotes))
  const rare = rareDelimiters.find(isTable)
  if (rare !== undefined) return formOf(readWith(rare), skipLines, options)
  if (usualDelimiters.some(isTable))
    return refused(
      "each of its rows is in quotes as a whole: open it in a spreadsheet program, split the first column at its " +
        "delimiter (text to columns), and save it as CSV UTF-8"
    )
  if (isTable(/\s{2,}/))
    return refused(
      "its columns have a fixed width, and no delimiter: open it in a spreadsheet program as text of fixed width, and " +
        "save it as CSV UTF-8"
    )
  return undefined
}

const withoutQuotes = (name: string): string => name.replace(/^"(.*)"$/, "$1")

/** The reading that fits: one whose rows have a header and the same number of fields. */
const chosen = (readings: ReadonlyArray<Reading>): Reading | Refused => {
  const [first] = readings as [Reading]
  if (readings.length === 1) return first
  const wide = readings.filter(({ columns, rows }) => columns > 1 && rows.length > 0)
  if (wide.length === 0) return readings.find(({ hasHeader }) => hasHeader) ?? first
  const likely = preferred(wide, [
    ({ hasHeader }) => hasHeader,
    ({ longer, malformed, rows }) => longer + malformed <= rows.length / 10,
    ({ longer, malformed }) => longer + malformed === 0,
    ({ shorter }) => shorter === 0
  ])
  const [only, second] = likely as [Reading, Reading | undefined]
  // Rows of one field in every reading but this one.
  if (second === undefined && (only.hasHeader || only.longer + only.malformed <= only.rows.length / 2)) return only
  if (second === undefined) return first
  const shown = likely.map(({ columns, delimiter }) => `${nameOfDelimiter(delimiter)}s (${columns} columns)`)
  return refused(`its fields may be separated by ${shown.join(" or by ")}: choose with --delimiter`)
}

/** Applies each preference that some of the readings meet. */
const preferred = (
  readings: ReadonlyArray<Reading>,
  preferences: ReadonlyArray<(reading: Reading) => boolean>
): ReadonlyArray<Reading> =>
  preferences.reduce((left, isBetter) => {
    const better = left.filter(isBetter)
    return better.length > 0 ? better : left
  }, readings)

interface ReadingOptions {
  readonly delimiter: string
  readonly skipLines: number
  readonly options: FormOptions
}

const bestQuoting = (text: string, isWhole: boolean, options: ReadingOptions): Reading => {
  const plain = readingOf(text, isWhole, options, undefined)
  const faults = ({ longer, malformed, shorter }: Reading) => malformed + longer + shorter
  const { delimiter } = options
  if (text.includes(`\\${delimiter}`) || text.includes("\\\n") || (delimiter === "\t" && nullField.test(text))) {
    const other = readingOf(text, isWhole, options, "everything")
    const isLikely = delimiter === "\t" && nullField.test(text) ? faults(other) <= faults(plain) : false
    if (isLikely || faults(other) < faults(plain)) return other
  }
  if (!text.includes('\\"')) return plain
  const other = readingOf(text, isWhole, options, "quotes")
  return faults(other) < faults(plain) ? other : plain
}

/** No value, as MySQL and PostgreSQL write it. */
const nullField = /(?:^|\t)\\N(?:\t|\r?\n|$)/m

/** Maximum number of rows that are compared, and of those that may be before a header. */
const maxRows = 200
const maxTitleRows = 20

const readingOf = (
  text: string,
  isWhole: boolean,
  given: ReadingOptions,
  backslash: Backslashes | undefined
): Reading => {
  const { delimiter, options, skipLines } = given
  const rows: Array<CsvRow> = []
  let malformed = 0
  let firstMalformed = Number.POSITIVE_INFINITY
  const reader = new CsvReader(
    {
      onRow: (row) => {
        if (rows.length === maxRows) return
        rows.push(row)
        // A quote within a field may open one in another reading.
        if (hasInnerQuote(row)) malformed++
      },
      onMalformed: ({ line }) => {
        if (rows.length === maxRows) return
        malformed++
        firstMalformed = Math.min(firstMalformed, line)
      }
    },
    { delimiter, backslash, skipLines, skipsEmptyRows: true, resume: "next line", maxRowLength: 1 << 20 }
  )
  reader.write(text)
  if (isWhole) reader.end()
  const { isHeader, noHeader = false } = options
  const found = isHeader === undefined ? -1 : rows.slice(0, maxTitleRows).findIndex(({ fields }) => isHeader(fields))
  const mayFollowTitles = !noHeader && options.skipLines === undefined
  const header = !mayFollowTitles ? 0 : found >= 0 ? found : isHeader === undefined ? 0 : titlesBefore(rows)
  const columns = rows[header]?.fields.length ?? 0
  const lengths = rows.slice(header + 1).map(({ fields }) => lengthWithoutSurplus(fields, columns))
  return {
    delimiter,
    backslash,
    rows,
    malformed,
    firstMalformed,
    header,
    hasHeader: found >= 0 && (found === header || noHeader),
    columns,
    longer: lengths.filter((length) => length > columns).length,
    shorter: lengths.filter((length) => length < columns).length
  }
}

const hasInnerQuote = ({ fields, hasQuotes, text }: CsvRow): boolean =>
  hasQuotes && !text.includes('""') && fields.some((field) => field.includes('"'))

/**
 * The number of rows before a header whose names are not known: rows of one text, before one with at least three. A text with
 * another delimiter may be a header of another reading.
 */
const titlesBefore = (rows: ReadonlyArray<CsvRow>): number => {
  const texts = rows.slice(0, maxTitleRows).map(({ fields }) => fields.filter((field) => field.trim() !== ""))
  const first = texts.findIndex(({ length }, at) => length > 1 || /[;\t|]/.test(texts[at]?.[0] ?? ""))
  return first > 0 && (texts[first] as ReadonlyArray<string>).length >= 3 ? first : 0
}

/** The number of fields of a row, without empty ones beyond the columns of the header. */
export const lengthWithoutSurplus = (fields: ReadonlyArray<string>, columns: number): number => {
  let { length } = fields
  while (length > columns && (fields[length - 1] as string).trim() === "") length--
  return length
}

/** Text without the final ^Z of DOS. */
const withoutEndMarks = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x1a) end--
  return text.slice(0, end)
}
