/**
 * Reads and writes CSV (RFC 4180). Text comes in chunks of any size and rows leave one by one, so a file of any length
 * can be read.
 */

/** Who is told of rows. */
export interface CsvHandlers {
  /** A row, and the line on which it starts, from 1. Blank lines are no rows, but they are counted. */
  readonly onRow: (fields: ReadonlyArray<string>, line: number) => void
  /** A malformed row: the line on which it starts, and the reason. Reading goes on behind the line where that showed. */
  readonly onMalformed: (line: number, reason: string) => void
}

/** How CSV is read. */
export interface CsvReaderOptions {
  /** How many characters a row may have, 65,536 unless told. Else one stray quote could swallow the rest of a file. */
  readonly longestRow?: number
}

/** How many characters a row may have, unless told. */
export const defaultLongestRow = 65_536

/**
 * Calls back for each row as soon as it is whole. Lines end with CR LF or LF, the last one with either or the end of the
 * text; a byte order mark in front is left aside. The way the text is cut into chunks makes no difference.
 *
 * ```ts
 * const reader = new CsvReader({ onRow: (fields) => rows.push(fields), onMalformed: (line, reason) => fail(line, reason) })
 * for await (const chunk of file) reader.write(chunk)
 * reader.end()
 * ```
 */
export class CsvReader {
  private readonly handlers: CsvHandlers
  private readonly longestRow: number
  /** What has come of a row that is not whole yet. */
  private rest = ""
  /** The line on which the next row starts. */
  private line = 1
  private isStart = true
  /** Whether the text up to the next line end belongs to a row that is malformed. */
  private isSkipping = false

  constructor(handlers: CsvHandlers, options: CsvReaderOptions = {}) {
    this.handlers = handlers
    this.longestRow = options.longestRow ?? defaultLongestRow
  }

  write(chunk: string): void {
    if (chunk === "") return
    const from = this.isStart && chunk.charCodeAt(0) === byteOrderMark ? 1 : 0
    this.isStart = false
    const text = this.rest + chunk
    const end = this.readRows(text, from)
    this.rest = text.slice(end)
  }

  /** Says that no more comes. */
  end(): void {
    if (this.rest !== "" && !this.rest.endsWith("\n")) this.write("\n")
    if (this.rest !== "") this.refuse(this.rest, 0, this.rest.length - 1, notClosed)
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

  /** Reads what rows there are from `from` on; returns where the first one starts that is not whole. */
  private readRows(text: string, from: number): number {
    let at = from
    let quote = nextOf(text, '"', at)
    for (;;) {
      const lineEnd = text.indexOf("\n", at)
      if (this.isSkipping) {
        if (lineEnd < 0) return text.length
        this.isSkipping = false
        this.line++
        at = lineEnd + 1
      } else if ((lineEnd < 0 ? text.length : lineEnd) - at > this.longestRow) {
        at = this.refuse(text, at, at + this.longestRow, tooLong)
      } else if (lineEnd < 0) {
        return at
      } else {
        if (quote < at) quote = nextOf(text, '"', at)
        const next = quote > lineEnd ? this.readPlainRow(text, at, lineEnd) : this.readQuotedRow(text, at, lineEnd)
        if (next === incomplete) return at
        at = next
      }
    }
  }

  /** A row without quotes. This and `readQuotedRow` return where the next row starts. */
  private readPlainRow(text: string, at: number, lineEnd: number): number {
    const row = withoutReturn(text.slice(at, lineEnd))
    if (row !== "") this.handlers.onRow(row.split(","), this.line)
    this.line++
    return lineEnd + 1
  }

  /** A row with quotes, whose first line ends at `lineEnd`. Returns `incomplete` if the text ends before the row does. */
  private readQuotedRow(text: string, at: number, lineEnd: number): number {
    const scan = scanQuotedRow(text, at, lineEnd)
    const end = scan === undefined ? text.length : scan.end
    if (end - at > this.longestRow) return this.refuse(text, at, at + this.longestRow, tooLong)
    if (scan === undefined) return incomplete
    if (!scan.ok) return this.refuse(text, at, end, scan.reason)
    this.handlers.onRow(scan.fields, this.line)
    this.line += 1 + linesIn(text, at, end)
    return end + 1
  }

  /** Reports the row at `at`, and skips the rest of the line in which `upTo` is. */
  private refuse(text: string, at: number, upTo: number, reason: string): number {
    const lines = linesIn(text, at, upTo)
    const extent = lines === 0 ? "" : `; lines ${this.line} to ${this.line + lines} are left out`
    this.handlers.onMalformed(this.line, reason + extent)
    this.line += lines
    this.isSkipping = true
    return upTo
  }
}

/** A row as a line of CSV with its line feed, quoted where that is needed. */
export const csvLine = (fields: ReadonlyArray<string>): string =>
  // A single empty field would otherwise be a blank line, which is no row.
  fields.length === 1 && fields[0] === "" ? '""\n' : `${fields.map(csvField).join(",")}\n`

const csvField = (field: string): string => (needsQuotes.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

// White space at an end is quoted, too, since some programs trim it.
const needsQuotes = /[",\r\n]|^\s|\s$/

const byteOrderMark = 0xfeff
const incomplete = -1

const tooLong = "the row is too long; perhaps a quote that opens a field is not closed"
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
