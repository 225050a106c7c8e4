/**
 * Finds the rows of CSV (RFC 4180) in bytes: line ends, limits, and what follows a malformed row. Fields are ranges of
 * bytes, and their texts are created only if somebody needs them.
 */
import { CsvRow } from "./CsvRow.ts"
import {
  type Backslashes,
  backslash,
  carriageReturn,
  faulty,
  incomplete,
  lineFeed,
  quote,
  RowScan,
  unescaped,
  withoutBackslashes
} from "./RowScan.ts"
import { type DecodeBytes, RowText } from "./RowText.ts"

/** Callbacks for rows. */
export interface ScanHandlers {
  /** The scanner has the row until this returns. */
  readonly onRow: () => void
  /** A malformed row, and the reason. */
  readonly onMalformed: (row: CsvRow, reason: string) => void
  /** Blank lines are not rows. They count as lines. */
  readonly onBlankLine?: ((lineEnd: string) => void) | undefined
  /** A byte order mark, which is not part of the first row. */
  readonly onByteOrderMark?: (() => void) | undefined
  /** A line that is no row: one that the options skip, a row without a value, a line of a text table, a remark. */
  readonly onSkippedLine?: ((text: string, lineEnd: string) => void) | undefined
}

/** Limits, and what follows a malformed row. */
export interface CsvReaderOptions {
  /** Default: 65,536 bytes. Without a limit one stray quote could make the rest of a file one row. */
  readonly maxRowLength?: number
  /**
   * Where reading continues after a malformed row: after the line of the fault, where the reason names the skipped lines
   * (the default); or on the second line of the row, so that a stray quote costs one line.
   */
  readonly resume?: "after fault" | "next line"
  /** Decodes bytes. Those of ASCII must become the same characters. Default: as UTF-8. */
  readonly decode?: DecodeBytes
  /** The character between fields, which must be ASCII. Default: a comma. */
  readonly delimiter?: string
  /** What backslashes escape. Default: nothing. */
  readonly backslash?: Backslashes | undefined
  /** The number of lines before the first row. Default: 0. */
  readonly skipLines?: number
  /** Whether rows without a value, lines of text tables, and remarks are passed on as skipped lines. Default: no. */
  readonly skipsEmptyRows?: boolean
}

const defaultMaxRowLength = 65_536

/** Maximum number of bytes that are reported of a line that is too long. */
const maxReportedLength = 1_000

/** Calls back for each row once it is complete. Chunks may be cut anywhere. */
export class CsvScanner {
  /** The fields of the current row, as ranges of `bytes`. */
  readonly fields: RowScan
  /** What is scanned, and two line feeds after it. Never changed later. */
  bytes: Uint8Array = new Uint8Array(0)
  /** The number of bytes without the line feeds after them. */
  length = 0
  /** The current row in `bytes`, without its line end. */
  start = 0
  end = 0
  /** The line on which it starts, from 1. */
  line = 1
  /** The number of lines without a value since the last other one. */
  emptyLines = 0
  /** Whether the bytes ended without a line end; false before `finish`. */
  lacksLineEnd = false
  readonly delimiter: string
  private readonly handlers: ScanHandlers
  private readonly maxRowLength: number
  private readonly reasons: Reasons
  private readonly resumesOnNextLine: boolean
  private readonly hasBackslashes: boolean
  private readonly skipsEmptyRows: boolean
  private readonly texts: RowText
  /** The number of fields of the first row. */
  private width = 0
  /** The number of lines that are still to be skipped. */
  private linesToSkip: number
  /** The first carriage return from some row on. */
  private nextReturn = -1
  /** Where the row that is incomplete starts. */
  private rest = 0
  private isStart = true
  /** Whether the text up to the next line end belongs to a malformed row. */
  private isSkipping = false

  constructor(handlers: ScanHandlers, options: CsvReaderOptions = {}) {
    const { backslash: backslashes, decode, delimiter = "," } = options
    const {
      maxRowLength = defaultMaxRowLength,
      resume = "after fault",
      skipLines = 0,
      skipsEmptyRows = false
    } = options
    this.handlers = handlers
    this.maxRowLength = maxRowLength
    this.delimiter = delimiter
    this.fields = new RowScan(delimiter.charCodeAt(0), backslashes === "everything")
    this.texts = new RowText(decode)
    this.hasBackslashes = backslashes !== undefined
    this.skipsEmptyRows = skipsEmptyRows
    this.linesToSkip = skipLines
    this.resumesOnNextLine = resume === "next line"
    this.reasons = this.resumesOnNextLine ? reasonsOfLines(maxRowLength) : reasonsOfRows
  }

  /** The chunk may be reused afterwards. */
  write(chunk: Uint8Array): void {
    this.take(chunk, false)
  }

  /** Ends the bytes. The last row may be without a line end. */
  finish(): void {
    if (this.rest === this.length) return
    this.lacksLineEnd = this.bytes[this.length - 1] !== lineFeed
    this.take(this.lacksLineEnd ? lastLineEnd : noBytes, true)
  }

  /** The line of the next byte. */
  get nextLine(): number {
    return this.line + this.linesIn(this.rest, this.length)
  }

  /** The current row. */
  row(): CsvRow {
    const { hasEscapes, hasQuotes } = this.fields
    return this.rowOf(this.start, this.end, hasQuotes || hasEscapes ? this.allFields() : undefined)
  }

  /** A field of the current row. */
  field(index: number): string {
    const { ends, escaped, hasBackslashes, isAscii, starts } = this.fields
    const text = this.texts.slice(starts[index] as number, ends[index] as number, isAscii ? this : undefined)
    if (escaped[index] === 0) return text
    return this.fields.hasEscapes ? withoutBackslashes(text) : unescaped(text, hasBackslashes)
  }

  /** All fields of the current row. */
  allFields(): ReadonlyArray<string> {
    return Array.from({ length: this.fields.count }, (_, index) => this.field(index))
  }

  /** Whether the current row has a carriage return before its line end. */
  hasReturn(): boolean {
    if (this.nextReturn < this.start) {
      const found = this.bytes.indexOf(carriageReturn, this.start)
      this.nextReturn = found < 0 ? this.length : found
    }
    return this.nextReturn < this.end
  }

  private take(chunk: Uint8Array, isLast: boolean): void {
    const rest = this.bytes.subarray(this.rest, this.length)
    this.length = rest.length + chunk.length
    const bytes = new Uint8Array(this.length + 2)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    bytes.fill(lineFeed, this.length)
    this.bytes = bytes
    this.texts.begin(bytes)
    this.nextReturn = -1
    this.rest = 0
    // A chunk may end within the mark.
    if (this.isStart && this.length < mark.length && !isLast) return
    const hasMark = this.isStart && mark.every((byte, at) => bytes[at] === byte)
    this.isStart = false
    if (hasMark) this.handlers.onByteOrderMark?.()
    this.rest = this.readRows(hasMark ? mark.length : 0, isLast)
  }

  /** Reads all complete rows from `from` on. Returns the start of the incomplete one. */
  private readRows(from: number, isLast: boolean): number {
    for (let at = from; ; ) {
      if (at >= this.length) return at
      let next: number
      if (this.isSkipping || this.linesToSkip > 0) {
        const lineEnd = this.lineEndFrom(at)
        if (lineEnd < 0) return this.isSkipping ? this.length : at
        next = this.isSkipping ? this.endSkipping(lineEnd) : this.skipLine(at, lineEnd)
      } else next = this.readRow(at, isLast)
      if (next === incomplete) return at
      at = next
    }
  }

  private endSkipping(lineEnd: number): number {
    this.isSkipping = false
    this.line++
    return lineEnd + 1
  }

  /** A line before the first row. This and the next four return where to continue. */
  private skipLine(at: number, lineEnd: number): number {
    const row = this.lineOf(at, lineEnd)
    this.handlers.onSkippedLine?.(row.text, row.lineEnd)
    this.linesToSkip--
    this.line++
    return lineEnd + 1
  }

  /** Returns `incomplete` if the bytes end before the row. */
  private readRow(at: number, isLast: boolean): number {
    const { fields, maxRowLength } = this
    const lineEnd = this.scan(at)
    const isWhole = lineEnd >= 0
    if (isWhole && lineEnd - at <= maxRowLength) return this.passOn(at, lineEnd)
    const firstLineEnd = fields.firstLineEnd >= 0 ? fields.firstLineEnd : this.lineEndFrom(at)
    if ((firstLineEnd < 0 ? this.length : firstLineEnd) - at > maxRowLength) return this.cutShort(at)
    if (firstLineEnd < 0) return incomplete
    const end = isWhole ? lineEnd : lineEnd === faulty ? fields.faultAt : this.length
    if (end - at > maxRowLength) return this.refuse(at, at + maxRowLength, this.reasons.tooLongRow)
    if (lineEnd === faulty) return this.refuse(at, fields.faultAt, fields.fault)
    return isLast ? this.refuse(at, this.length - 1, notClosed) : incomplete
  }

  /**
   * A malformed row may be one whose quotes are escaped by backslashes. Or they are not escaped at all, as in
   * `"Mama "Put" Kitchen"`: this is believed if the line then has the fields of the first row.
   */
  private scan(at: number): number {
    const { fields, hasBackslashes, width } = this
    const found = fields.scan(this, at, hasBackslashes)
    if (found !== faulty) return found
    if (!hasBackslashes && this.hasEscapedQuote(at, fields.faultAt)) {
      const escaped = fields.scan(this, at, true)
      if (escaped >= 0) return escaped
    }
    const kept = fields.scan(this, at, hasBackslashes, true)
    return kept >= 0 && fields.count === width ? kept : fields.scan(this, at, hasBackslashes)
  }

  private hasEscapedQuote(from: number, to: number): boolean {
    for (let at = to; at >= from; at--) if (this.bytes[at] === backslash && this.bytes[at + 1] === quote) return true
    return false
  }

  private passOn(at: number, lineEnd: number): number {
    const { fields, handlers } = this
    const hasReturn = lineEnd > at && this.bytes[lineEnd - 1] === carriageReturn
    this.start = at
    this.end = hasReturn ? lineEnd - 1 : lineEnd
    const isBlank = this.end === at
    const isEmpty = isBlank || (this.skipsEmptyRows && this.isEmptyRow())
    this.emptyLines = isEmpty ? this.emptyLines + 1 : 0
    if (isBlank) handlers.onBlankLine?.(hasReturn ? "\r\n" : "\n")
    else if (isEmpty || (this.skipsEmptyRows && (this.isTableLine() || this.isRemark()))) this.skipRow()
    else {
      if (this.width === 0) this.width = fields.count
      handlers.onRow()
    }
    this.line += fields.firstLineEnd === lineEnd ? 1 : 1 + this.linesIn(at, lineEnd)
    return lineEnd + 1
  }

  /** Whether the row has several fields, all empty: spreadsheets write them for rows that once had a value. */
  private isEmptyRow(): boolean {
    const { count, ends, starts } = this.fields
    let at = 0
    while (at < count && starts[at] === ends[at]) at++
    return at === count && count > 1 && !this.fields.hasQuotes
  }

  /** Whether the row is a line of a table as databases show it: `-----+-----`, `---,-----`, `(3 rows)`, `\.` */
  private isTableLine(): boolean {
    const first = this.bytes[this.start] as number
    if (first === backslash) return this.texts.slice(this.start, this.end) === "\\."
    const isAlone = this.fields.count === 1 && this.delimiter === "|"
    const mayBe = isAlone || first === bar || first === dash || first === plus
    return mayBe && tableLine.test(this.texts.slice(this.start, this.end))
  }

  /** Whether the row is a remark, such as `# end`, and no row that lacks fields: `#7`. */
  private isRemark(): boolean {
    const mayBe = this.bytes[this.start] === hash && this.fields.count < this.width
    return mayBe && /^#\s*[^\s\d]/.test(this.texts.slice(this.start, this.end))
  }

  private skipRow(): void {
    const { lineEnd, text } = this.rowOf(this.start, this.end)
    this.handlers.onSkippedLine?.(text, lineEnd)
  }

  /** Reports the row at `at`, whose fault is at `upTo`. */
  private refuse(at: number, upTo: number, reason: string): number {
    const lineEnd = this.lineEndFrom(at)
    const row = this.lineOf(at, lineEnd)
    if (this.resumesOnNextLine) {
      this.handlers.onMalformed(row, reason)
      this.line++
      return lineEnd + 1
    }
    const lines = this.linesIn(at, upTo)
    const extent = lines === 0 ? "" : `; lines ${this.line} to ${this.line + lines} are left out`
    this.handlers.onMalformed(row, reason + extent)
    this.line += lines
    this.isSkipping = true
    return upTo
  }

  /** Reports a line that is too long, and skips the rest of it. */
  private cutShort(at: number): number {
    let end = at + Math.min(maxReportedLength, this.maxRowLength)
    // Not within a character.
    while (((this.bytes[end] as number) & 0xc0) === 0x80) end--
    this.handlers.onMalformed(
      new CsvRow(this.texts.slice(at, end), this.line, "\n", this.delimiter),
      this.reasons.tooLongLine
    )
    this.isSkipping = true
    return at + this.maxRowLength
  }

  private lineOf(at: number, lineEnd: number): CsvRow {
    return this.rowOf(at, lineEnd > at && this.bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd)
  }

  private rowOf(start: number, end: number, fields?: ReadonlyArray<string>): CsvRow {
    const lineEnd = this.bytes[end] === carriageReturn ? "\r\n" : "\n"
    return new CsvRow(this.texts.slice(start, end), this.line, lineEnd, this.delimiter, fields)
  }

  /** The next line feed; −1 if there is none. */
  private lineEndFrom(at: number): number {
    const lineEnd = this.bytes.indexOf(lineFeed, at)
    return lineEnd < this.length ? lineEnd : -1
  }

  private linesIn(from: number, to: number): number {
    let count = 0
    for (let at = this.bytes.indexOf(lineFeed, from); at >= 0 && at < to; at = this.bytes.indexOf(lineFeed, at + 1)) {
      count++
    }
    return count
  }
}

const tableLine = /^(?:[\s|+=:,;-]*-{3,}[\s|+=:,;-]*|\(\d+ rows?\)|\d+ rows? in set\b.*)$/
const [bar, dash, hash, plus] = [0x7c, 0x2d, 0x23, 0x2b] as const

const mark = [0xef, 0xbb, 0xbf]
const noBytes = new Uint8Array(0)
const lastLineEnd = Uint8Array.of(lineFeed)

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
