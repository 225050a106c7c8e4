/**
 * Reads and writes CSV (RFC 4180). Text comes in chunks of any size and rows leave one by one, so a file of any length
 * can be read.
 */

/** A row, or the first line of one that is malformed. */
export class CsvRow {
  /** As it stands, without its line end. Of a line that is too long this is the beginning. */
  readonly text: string
  /** The line on which it starts, from 1. */
  readonly line: number
  /** CR LF or LF; the last row of a text has one, too. */
  readonly lineEnd: string
  private readonly unquoted: ReadonlyArray<string> | undefined

  /** @param unquoted its fields, if it has quotes */
  constructor(text: string, line: number, lineEnd: string, unquoted?: ReadonlyArray<string>) {
    this.text = text
    this.line = line
    this.lineEnd = lineEnd
    this.unquoted = unquoted
  }

  /** Whether there is a quote in it. A row without any is its fields with commas in between. */
  get hasQuotes(): boolean {
    return this.unquoted !== undefined
  }

  get fields(): ReadonlyArray<string> {
    return this.unquoted ?? this.text.split(",")
  }
}

/** Who is told of rows. */
export interface CsvHandlers {
  readonly onRow: (row: CsvRow) => void
  /** A malformed row, and the reason. */
  readonly onMalformed: (row: CsvRow, reason: string) => void
  /** Blank lines are no rows, but they are counted. */
  readonly onBlankLine?: (lineEnd: string) => void
  /** The mark stands before the first row, and is no part of it. */
  readonly onByteOrderMark?: () => void
}

/** How CSV is read. */
export interface CsvReaderOptions {
  /** How many characters a row may have, 65,536 by default. Else one stray quote could swallow the rest of a file. */
  readonly maxRowLength?: number
  /**
   * Where reading goes on after a malformed row: after the line where the fault showed, which is the default and says
   * which lines were left out; or on the line after its first, so that a stray quote costs one line.
   */
  readonly resume?: "after fault" | "next line"
  /** What the mark looks like where characters stand for bytes; U+FEFF by default. */
  readonly byteOrderMark?: string
}

/** How many characters a row may have by default. */
export const defaultMaxRowLength = 65_536

/** What is kept of a line that is too long. */
const keptOfLongLine = 1_000

/**
 * Calls back for each row as soon as it is whole. Lines end with CR LF or LF, the last one with either or the end of the
 * text; a byte order mark in front is left aside. The way the text is cut into chunks makes no difference.
 *
 * ```ts
 * const reader = new CsvReader({ onRow: ({ fields }) => rows.push(fields), onMalformed: ({ line }, reason) => fail(line, reason) })
 * for await (const chunk of file) reader.write(chunk)
 * reader.end()
 * ```
 */
export class CsvReader {
  private readonly handlers: CsvHandlers
  private readonly maxRowLength: number
  private readonly mark: string
  private readonly reasons: Reasons
  private readonly resumesOnNextLine: boolean
  /** What has come of a row that is not whole yet. */
  private rest = ""
  /** The line on which the next row starts. */
  private line = 1
  private isStart = true
  /** Whether the text up to the next line end belongs to a row that is malformed. */
  private isSkipping = false

  constructor(handlers: CsvHandlers, options: CsvReaderOptions = {}) {
    const { byteOrderMark = "\ufeff", maxRowLength = defaultMaxRowLength, resume = "after fault" } = options
    this.handlers = handlers
    this.maxRowLength = maxRowLength
    this.mark = byteOrderMark
    this.resumesOnNextLine = resume === "next line"
    this.reasons = this.resumesOnNextLine ? reasonsOfLines(maxRowLength) : reasonsOfRows
  }

  write(chunk: string): void {
    this.take(this.rest + chunk, false)
  }

  /** Says that no more comes. */
  end(): void {
    if (this.rest !== "") this.take(this.rest.endsWith("\n") ? this.rest : `${this.rest}\n`, true)
    this.rest = ""
  }

  /** Whether what has come ends with a whole row, or nothing has come. */
  get isBetweenRows(): boolean {
    return this.rest === "" && !this.isSkipping
  }

  /** The line on which the next character stands. */
  get nextLine(): number {
    return this.line + linesIn(this.rest, 0, this.rest.length)
  }

  /** Counts a line that was read by other means, between rows, and returns its number. */
  passLine(): number {
    return this.line++
  }

  private take(text: string, isLast: boolean): void {
    this.rest = text
    // A mark of several characters may come in pieces.
    if (this.isStart && text.length < this.mark.length && !isLast) return
    const from = this.isStart && text.startsWith(this.mark) ? this.mark.length : 0
    this.isStart = false
    if (from > 0) this.handlers.onByteOrderMark?.()
    this.rest = text.slice(this.readRows(text, from, isLast))
  }

  /** Reads what rows there are from `from` on; returns where the first one starts that is not whole. */
  private readRows(text: string, from: number, isLast: boolean): number {
    let at = from
    let quote = nextOf(text, '"', at)
    for (;;) {
      const lineEnd = text.indexOf("\n", at)
      if (this.isSkipping) {
        if (lineEnd < 0) return text.length
        this.isSkipping = false
        this.line++
        at = lineEnd + 1
      } else if ((lineEnd < 0 ? text.length : lineEnd) - at > this.maxRowLength) {
        at = this.cutShort(text, at)
      } else if (lineEnd < 0) {
        return at
      } else {
        if (quote < at) quote = nextOf(text, '"', at)
        const next = quote > lineEnd ? this.readPlainRow(text, at, lineEnd) : this.readQuotedRow(text, at, lineEnd)
        if (next === incomplete && !isLast) return at
        at = next === incomplete ? this.refuse(text, at, text.length - 1, notClosed) : next
      }
    }
  }

  /** A row without quotes. This and the three below return where to go on. */
  private readPlainRow(text: string, at: number, lineEnd: number): number {
    const row = this.rowOf(text, at, lineEnd)
    if (row.text === "") this.handlers.onBlankLine?.(row.lineEnd)
    else this.handlers.onRow(row)
    this.line++
    return lineEnd + 1
  }

  /** A row with quotes, whose first line ends at `lineEnd`. Returns `incomplete` if the text ends before the row does. */
  private readQuotedRow(text: string, at: number, lineEnd: number): number {
    const scan = scanQuotedRow(text, at, lineEnd)
    const end = scan === undefined ? text.length : scan.end
    if (end - at > this.maxRowLength) return this.refuse(text, at, at + this.maxRowLength, this.reasons.tooLongRow)
    if (scan === undefined) return incomplete
    if (!scan.ok) return this.refuse(text, at, end, scan.reason)
    this.handlers.onRow(this.rowOf(text, at, end, scan.fields))
    this.line += 1 + linesIn(text, at, end)
    return end + 1
  }

  /** Reports the row at `at`, whose fault shows at `upTo`. */
  private refuse(text: string, at: number, upTo: number, reason: string): number {
    const row = this.rowOf(text, at, text.indexOf("\n", at))
    if (this.resumesOnNextLine) {
      this.handlers.onMalformed(row, reason)
      this.line++
      return at + row.text.length + row.lineEnd.length
    }
    const lines = linesIn(text, at, upTo)
    const extent = lines === 0 ? "" : `; lines ${this.line} to ${this.line + lines} are left out`
    this.handlers.onMalformed(row, reason + extent)
    this.line += lines
    this.isSkipping = true
    return upTo
  }

  /** Reports a line that is too long, and skips the rest of it. */
  private cutShort(text: string, at: number): number {
    const beginning = text.slice(at, at + Math.min(keptOfLongLine, this.maxRowLength))
    this.handlers.onMalformed(new CsvRow(beginning, this.line, "\n"), this.reasons.tooLongLine)
    this.isSkipping = true
    return at + this.maxRowLength
  }

  private rowOf(text: string, at: number, lineFeed: number, fields?: ReadonlyArray<string>): CsvRow {
    const row = text.slice(at, lineFeed)
    return row.endsWith("\r")
      ? new CsvRow(row.slice(0, -1), this.line, "\r\n", fields)
      : new CsvRow(row, this.line, "\n", fields)
  }
}

/**
 * A value for programs for tables. Text that they would take for a formula is made plain text, since others may have
 * chosen it; numbers stay numbers.
 */
export const csvCell = (value: number | string | null | undefined): string =>
  typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? "")

/** A row as a line of CSV with its line feed, quoted where that is needed. */
export const csvLine = (fields: ReadonlyArray<string>): string => `${csvRow(fields)}\n`

/** The same without a line end. */
export const csvRow = (fields: ReadonlyArray<string>): string =>
  // A single empty field would otherwise be a blank line, which is no row.
  fields.length === 1 && fields[0] === "" ? '""' : fields.map(csvField).join(",")

const csvField = (field: string): string => (needsQuotes.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

// White space at an end is quoted, too, since some programs trim it.
const needsQuotes = /[",\r\n]|^\s|\s$/

const incomplete = -1

/** Why a row is too long, where a line alone is, and where a quote goes over several. */
interface Reasons {
  readonly tooLongLine: string
  readonly tooLongRow: string
}

const tooLong = "the row is too long; perhaps a quote that opens a field is not closed"
const reasonsOfRows: Reasons = { tooLongLine: tooLong, tooLongRow: tooLong }
const reasonsOfLines = (longest: number): Reasons => ({
  tooLongLine: `the line is longer than ${longest} bytes; only its beginning is kept`,
  tooLongRow: `a quote that opens a field is not closed within ${longest} bytes`
})
const notClosed = "a quote that opens a field is not closed before the end of the file"
const strayText = "a quote that closes a field is followed by neither a comma nor the end of the line"
const strayQuote = "a quote stands inside a field that does not start with one"

type QuotedRow =
  /** `end` is where the line feed is. */
  | { readonly ok: true; readonly fields: ReadonlyArray<string>; readonly end: number }
  /** `end` is where the fault shows. */
  | { readonly ok: false; readonly reason: string; readonly end: number }

/** Reads a row field by field; undefined if the text ends before the row does. */
const scanQuotedRow = (text: string, start: number, firstLineEnd: number): QuotedRow | undefined => {
  const fields: Array<string> = []
  let lineEnd = firstLineEnd
  for (let at = start; ; ) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at + 1) : -1
    if (isQuoted && close < 0) return undefined
    if (close > lineEnd) lineEnd = nextOf(text, "\n", close)
    const from = isQuoted ? close + 1 : at
    const end = Math.min(nextOf(text, ",", from), lineEnd)
    const piece = text.slice(from, end)
    // A carriage return belongs to the end of the line, if it is that, or if what comes next may yet be.
    const plain = end >= lineEnd ? withoutReturn(piece) : piece
    if (isQuoted && plain !== "") {
      return { ok: false, reason: strayText, end: plain[0] === "\r" ? from + 1 : from }
    }
    const quote = plain.indexOf('"')
    if (quote >= 0) return { ok: false, reason: strayQuote, end: from + quote }
    if (end === nowhere) return undefined
    fields.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : plain)
    if (end === lineEnd) return { ok: true, fields, end }
    at = end + 1
  }
}

/** Where the quote is that closes a field; −1 if the text ends before that is sure. */
const closingQuote = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at >= 0 && at + 1 < text.length; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

const nowhere = Number.POSITIVE_INFINITY

/** The place of the first `wanted` from `from` on, or infinity. */
const nextOf = (text: string, wanted: string, from: number): number => {
  const at = text.indexOf(wanted, from)
  return at < 0 ? nowhere : at
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

const linesIn = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++
  return count
}
