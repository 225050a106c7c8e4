/** Reads and writes CSV (RFC 4180). Reading is a stream from chunks of text to rows, for files of any length. */

/** A row, or the first line of one that is malformed. */
export class CsvRow {
  /** Unchanged, without its line end. Of a line that is too long, the beginning. */
  readonly text: string
  /** The line on which it starts, from 1. */
  readonly line: number
  /** CR LF or LF; LF if the last row has none. */
  readonly lineEnd: string
  /** Between the fields: a comma, unless the reader was given another character. */
  readonly delimiter: string
  private readonly unquoted: ReadonlyArray<string> | undefined

  /** @param unquoted the fields, if the row has quotes */
  constructor(text: string, line: number, lineEnd: string, delimiter = ",", unquoted?: ReadonlyArray<string>) {
    this.text = text
    this.line = line
    this.lineEnd = lineEnd
    this.delimiter = delimiter
    this.unquoted = unquoted
  }

  /** Whether the row has quotes. The text of a row without is its fields joined by the delimiter. */
  get hasQuotes(): boolean {
    return this.unquoted !== undefined
  }

  get fields(): ReadonlyArray<string> {
    return this.unquoted ?? this.text.split(this.delimiter)
  }
}

/** Callbacks for rows. */
export interface CsvHandlers {
  readonly onRow: (row: CsvRow) => void
  /** A malformed row, and the reason. */
  readonly onMalformed: (row: CsvRow, reason: string) => void
  /** Blank lines are not rows. They count as lines. */
  readonly onBlankLine?: (lineEnd: string) => void
  /** A byte order mark, which is not part of the first row. */
  readonly onByteOrderMark?: () => void
  /** A line before the first row that the options skip. */
  readonly onSkippedLine?: (text: string, lineEnd: string) => void
}

/** Limits, and what follows a malformed row. */
export interface CsvReaderOptions {
  /** Default: 65,536 characters. Without a limit one stray quote could make the rest of a file one row. */
  readonly maxRowLength?: number
  /**
   * Where reading continues after a malformed row: after the line of the fault, where the reason names the skipped lines
   * (the default); or on the second line of the row, so that a stray quote costs one line.
   */
  readonly resume?: "after fault" | "next line"
  /** Default: U+FEFF. Text that is decoded as latin1 has another one. */
  readonly byteOrderMark?: string
  /** The character between fields. Default: a comma. */
  readonly delimiter?: string
  /** Whether a backslash escapes quotes and backslashes in quoted fields, as MySQL writes them. Default: no. */
  readonly backslash?: boolean
  /** The number of lines before the first row. Default: 0. */
  readonly skipLines?: number
}

const defaultMaxRowLength = 65_536

/** Maximum length of the text that is reported of a line that is too long. */
const maxReportedLength = 1_000

/**
 * Calls back for each row once it is complete. Lines end with CR LF or LF, the last one also with the end of the text. A
 * byte order mark at the start is ignored. Blanks around a quoted field are ignored. Chunks may be cut anywhere.
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
  private readonly delimiter: string
  private readonly reasons: Reasons
  private readonly resumesOnNextLine: boolean
  private readonly backslash: boolean
  /** The number of lines that are still to be skipped. */
  private linesToSkip: number
  /** The start of an incomplete row. */
  private rest = ""
  /** The line on which the next row starts, from 1. */
  private line = 1
  private isStart = true
  /** Whether the text up to the next line end belongs to a malformed row. */
  private isSkipping = false

  constructor(handlers: CsvHandlers, options: CsvReaderOptions = {}) {
    const { byteOrderMark = "\ufeff", delimiter = ",", maxRowLength = defaultMaxRowLength } = options
    const { backslash = false, resume = "after fault", skipLines = 0 } = options
    this.handlers = handlers
    this.maxRowLength = maxRowLength
    this.mark = byteOrderMark
    this.delimiter = delimiter
    this.backslash = backslash
    this.linesToSkip = skipLines
    this.resumesOnNextLine = resume === "next line"
    this.reasons = this.resumesOnNextLine ? reasonsOfLines(maxRowLength) : reasonsOfRows
  }

  write(chunk: string): void {
    this.take(this.rest + chunk, false)
  }

  /** Ends the text. */
  end(): void {
    if (this.rest !== "") this.take(this.rest.endsWith("\n") ? this.rest : `${this.rest}\n`, true)
    this.rest = ""
  }

  /** The line of the next character. */
  get nextLine(): number {
    return this.line + linesIn(this.rest, 0, this.rest.length)
  }

  private take(text: string, isLast: boolean): void {
    this.rest = text
    // A chunk may end within a mark of several characters.
    if (this.isStart && text.length < this.mark.length && !isLast) return
    const from = this.isStart && text.startsWith(this.mark) ? this.mark.length : 0
    this.isStart = false
    if (from > 0) this.handlers.onByteOrderMark?.()
    this.rest = text.slice(this.readRows(text, from, isLast))
  }

  /** Reads all complete rows from `from` on. Returns the start of the incomplete one. */
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
      } else if (this.linesToSkip > 0) {
        if (lineEnd < 0) return at
        at = this.skipLine(text, at, lineEnd)
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

  /** A line before the first row. This and the next four return where to continue. */
  private skipLine(text: string, at: number, lineEnd: number): number {
    const row = this.rowOf(text, at, lineEnd)
    this.handlers.onSkippedLine?.(row.text, row.lineEnd)
    this.linesToSkip--
    this.line++
    return lineEnd + 1
  }

  /** A row without quotes. */
  private readPlainRow(text: string, at: number, lineEnd: number): number {
    const row = this.rowOf(text, at, lineEnd)
    if (row.text === "") this.handlers.onBlankLine?.(row.lineEnd)
    else this.handlers.onRow(row)
    this.line++
    return lineEnd + 1
  }

  /** A row with quotes whose first line ends at `lineEnd`. Returns `incomplete` if the text ends before the row. */
  private readQuotedRow(text: string, at: number, lineEnd: number): number {
    const scan = this.scan(text, at, lineEnd)
    const end = scan === undefined ? text.length : scan.end
    if (end - at > this.maxRowLength) return this.refuse(text, at, at + this.maxRowLength, this.reasons.tooLongRow)
    if (scan === undefined) return incomplete
    if (!scan.ok) return this.refuse(text, at, end, scan.reason)
    this.handlers.onRow(this.rowOf(text, at, end, scan.fields))
    this.line += 1 + linesIn(text, at, end)
    return end + 1
  }

  /** A malformed row may be one whose quotes are escaped by backslashes. */
  private scan(text: string, at: number, lineEnd: number): QuotedRow | undefined {
    const { backslash, delimiter } = this
    const scan = scanQuotedRow(text, at, lineEnd, { delimiter, backslash })
    if (scan === undefined || scan.ok || backslash || text.lastIndexOf('\\"', scan.end) < at) return scan
    const other = scanQuotedRow(text, at, lineEnd, { delimiter, backslash: true })
    return other?.ok === true ? other : scan
  }

  /** Reports the row at `at`, whose fault is at `upTo`. */
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
    const beginning = text.slice(at, at + Math.min(maxReportedLength, this.maxRowLength))
    this.handlers.onMalformed(new CsvRow(beginning, this.line, "\n", this.delimiter), this.reasons.tooLongLine)
    this.isSkipping = true
    return at + this.maxRowLength
  }

  private rowOf(text: string, at: number, lineFeed: number, fields?: ReadonlyArray<string>): CsvRow {
    const row = text.slice(at, lineFeed)
    return row.endsWith("\r")
      ? new CsvRow(row.slice(0, -1), this.line, "\r\n", this.delimiter, fields)
      : new CsvRow(row, this.line, "\n", this.delimiter, fields)
  }
}

/** A value of a cell. */
export type CsvValue = boolean | number | string | null | undefined

/**
 * A value for spreadsheets. An apostrophe keeps text from being run as a formula, since it may come from an attacker.
 * Numbers stay numbers.
 */
export const csvCell = (value: CsvValue): string =>
  typeof value === "string" && formula.test(value) ? `'${value}` : String(value ?? "")

/**
 * Spreadsheets trim white space and invisible characters, cut a text at a tab or a line end, and may read full-width,
 * small and mathematical signs as those of ASCII.
 */
const formula = /^[\s\p{C}]*(?:[\t\r\n]|[=+\-@＝＋－＠﹦﹢﹣﹫−])/u

/** A row as CSV with its line feed, quoted where needed. */
export const csvLine = (fields: ReadonlyArray<string>): string => `${csvRow(fields)}\n`

/** A row as CSV without a line end. */
export const csvRow = (fields: ReadonlyArray<string>, delimiter = ","): string =>
  // A single empty field would be a blank line, which is not a row.
  fields.length === 1 && fields[0] === "" ? '""' : fields.map((field) => csvField(field, delimiter)).join(delimiter)

const csvField = (field: string, delimiter: string): string =>
  needsQuotes.test(field) || field.includes(delimiter) ? `"${field.replaceAll('"', '""')}"` : field

// White space at either end is quoted because some programs trim it.
const needsQuotes = /[",\r\n]|^\s|\s$/

const incomplete = -1

/** The reason for a line that is too long, and for a quoted row over several lines. */
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
const strayText = "a quote that closes a field is followed by neither a delimiter nor the end of the line"
const strayQuote = "a quote stands inside a field that does not start with one"

type QuotedRow =
  /** `end` is the index of the line feed. */
  | { readonly ok: true; readonly fields: ReadonlyArray<string>; readonly end: number }
  /** `end` is the index of the fault. */
  | { readonly ok: false; readonly reason: string; readonly end: number }

/** How fields are divided and quotes are escaped. */
interface Quoting {
  readonly delimiter: string
  readonly backslash: boolean
}

/** Reads a row field by field. Undefined if the text ends before the row. */
const scanQuotedRow = (text: string, start: number, firstLineEnd: number, quoting: Quoting): QuotedRow | undefined => {
  const { delimiter } = quoting
  const fields: Array<string> = []
  let lineEnd = firstLineEnd
  for (let at = start; ; ) {
    const open = openingQuote(text, at, delimiter)
    const isQuoted = open >= 0
    const close = isQuoted ? closingQuote(text, open + 1, quoting.backslash) : -1
    if (isQuoted && close < 0) return undefined
    if (close > lineEnd) lineEnd = nextOf(text, "\n", close)
    const from = isQuoted ? close + 1 : at
    const end = Math.min(nextOf(text, delimiter, from), lineEnd)
    const piece = text.slice(from, end)
    // A carriage return belongs to the line end, also if the line feed may follow in the next chunk.
    const plain = end >= lineEnd ? withoutReturn(piece) : piece
    if (isQuoted && !isBlank.test(plain)) {
      return { ok: false, reason: strayText, end: plain[0] === "\r" ? from + 1 : from }
    }
    const quote = plain.indexOf('"')
    if (quote >= 0) return { ok: false, reason: strayQuote, end: from + quote }
    if (end === nowhere) return undefined
    fields.push(isQuoted ? unquoted(text.slice(open + 1, close), quoting) : plain)
    if (end === lineEnd) return { ok: true, fields, end }
    at = end + 1
  }
}

const isBlank = /^[ \t]*$/

const unquoted = (field: string, { backslash }: Quoting): string =>
  backslash ? field.replace(/\\(["\\])|""/g, (_, escaped = '"') => escaped) : field.replaceAll('""', '"')

/** The index of the quote that opens the field at `at`, after blanks; −1 if the field has none. */
const openingQuote = (text: string, at: number, delimiter: string): number => {
  let open = at
  while (text[open] === " " || (text[open] === "\t" && delimiter !== "\t")) open++
  return text[open] === '"' ? open : -1
}

/** The index of the quote that closes a field; −1 if the text ends before it, or with a quote that may be half a pair. */
const closingQuote = (text: string, from: number, backslash: boolean): number => {
  for (let at = text.indexOf('"', from); at >= 0 && at + 1 < text.length; ) {
    const isEscaped = backslash && backslashesBefore(text, at, from) % 2 === 1
    if (!isEscaped && text[at + 1] !== '"') return at
    at = text.indexOf('"', at + (isEscaped ? 1 : 2))
  }
  return -1
}

const backslashesBefore = (text: string, at: number, from: number): number => {
  let count = 0
  while (at - count > from && text[at - count - 1] === "\\") count++
  return count
}

const nowhere = Number.POSITIVE_INFINITY

/** The first index of `wanted` from `from` on, or infinity. */
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
