/**
 * The rows of a CSV file (RFC 4180) as they stand, so that they can be handed on byte for byte, whatever their encoding.
 * Text here is byte text: each character stands for one byte, as `latin1` decodes it. Commas, quotes and line ends are
 * single bytes in UTF-8 and in everything that programs call ANSI.
 *
 * No line is lost. Where a row with quotes breaks the rules, only the line on which it starts is refused, and reading
 * goes on with the next one: one stray quote costs one line.
 */
import { isUtf8 } from "node:buffer"

/** A row as it stands in the file. */
export interface CsvRow {
  /** The row without its line end. */
  readonly text: string
  /** Its fields, if it has quotes; one that has none is split at each comma. */
  readonly fields: ReadonlyArray<string> | undefined
  /** The line on which it starts, from 1. */
  readonly line: number
  /** CR LF or LF; the last row of a file has one, too. */
  readonly lineEnd: string
}

/** Who is told of rows, and of what is none. */
export interface RowHandlers {
  /** A byte order mark stands in front of the first row, and is no part of it. */
  readonly onByteOrderMark: () => void
  readonly onRow: (row: CsvRow) => void
  /** A line without anything is no row. */
  readonly onBlankLine: (lineEnd: string) => void
  /** A line that cannot be read as CSV, and why. */
  readonly onFault: (line: CsvRow, reason: string) => void
  /** A line that was handed on as it is, but is not UTF-8. Told behind the rows of the chunk that ends it. */
  readonly onNotUtf8: (line: number) => void
}

/** Byte text as the text that it is in UTF-8; what is none becomes U+FFFD. */
export const decoded = (bytes: string): string =>
  beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes

/** Text as byte text, in UTF-8. */
export const encoded = (text: string): string =>
  beyondAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text

/** As byte text, in UTF-8. */
export const byteOrderMark = "\u00ef\u00bb\u00bf"

/** What a row may take at most; of a longer line only the beginning is kept. */
export const longestRow = 1 << 20
const keptOfLongLine = 1_000

/** Takes bytes in chunks of any size and calls back for each row as soon as it is whole. */
export class CsvRows {
  private readonly handlers: RowHandlers
  private rest = ""
  private line = 1
  private isStart = true
  /** Whether what comes up to the next line end belongs to a line that was too long. */
  private isSkipping = false

  constructor(handlers: RowHandlers) {
    this.handlers = handlers
  }

  write(chunk: Buffer): void {
    this.take(this.rest + chunk.toString("latin1"), false)
  }

  /** Says that no more comes. */
  end(): void {
    if (this.rest !== "") this.take(this.rest.endsWith("\n") ? this.rest : `${this.rest}\n`, true)
  }

  private take(text: string, isLast: boolean): void {
    let from = 0
    if (this.isStart) {
      this.rest = text
      if (text.length < byteOrderMark.length && !isLast) return
      this.isStart = false
      if (text.startsWith(byteOrderMark)) {
        from = byteOrderMark.length
        this.handlers.onByteOrderMark()
      }
    }
    const { isSkipping, line } = this
    const end = this.readRows(text, from, isLast)
    this.rest = text.slice(end)
    // Of lines that were too long, pieces may begin and end within a character.
    const first = isSkipping ? text.indexOf("\n") + 1 : from
    const last = this.isSkipping ? text.lastIndexOf("\n") + 1 : end
    if (last > first) this.checkEncoding(text.slice(first, last), isSkipping ? line + 1 : line)
  }

  /** Reads what rows there are; returns where the first one starts that is not whole. */
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
        continue
      }
      const isTooLong = (lineEnd < 0 ? text.length : lineEnd) - at > longestRow
      if (lineEnd < 0 && !isTooLong) return at
      if (quote < at) quote = nextOf(text, '"', at)
      if (isTooLong) at = this.cutShort(text, at)
      else if (quote > lineEnd) at = this.readPlainRow(text, at, lineEnd)
      else {
        const next = this.readQuotedRow(text, at, lineEnd)
        if (next === incomplete && !isLast) return at
        at = next === incomplete ? this.refuse(text, at, lineEnd, notClosed) : next
      }
    }
  }

  /** A line without quotes. This and the three below return where the next row starts. */
  private readPlainRow(text: string, at: number, lineFeed: number): number {
    const end = withoutReturn(text, at, lineFeed)
    const lineEnd = end === lineFeed ? "\n" : "\r\n"
    if (end === at) this.handlers.onBlankLine(lineEnd)
    else this.handlers.onRow({ text: text.slice(at, end), fields: undefined, line: this.line, lineEnd })
    this.line++
    return lineFeed + 1
  }

  private readQuotedRow(text: string, at: number, firstLineFeed: number): number {
    const scan = scanQuotedRow(text, at)
    const end = scan === undefined ? text.length : scan.end
    if (end - at > longestRow) return this.refuse(text, at, firstLineFeed, notClosedSoon)
    if (scan === undefined) return incomplete
    if (scan.reason !== undefined) return this.refuse(text, at, firstLineFeed, scan.reason)
    const textEnd = withoutReturn(text, at, end)
    const lineEnd = textEnd === end ? "\n" : "\r\n"
    this.handlers.onRow({ text: text.slice(at, textEnd), fields: scan.fields, line: this.line, lineEnd })
    this.line += linesIn(text, at, end + 1)
    return end + 1
  }

  private refuse(text: string, at: number, lineFeed: number, reason: string): number {
    const end = withoutReturn(text, at, lineFeed)
    const lineEnd = end === lineFeed ? "\n" : "\r\n"
    this.handlers.onFault({ text: text.slice(at, end), fields: undefined, line: this.line, lineEnd }, reason)
    this.line++
    return lineFeed + 1
  }

  private cutShort(text: string, at: number): number {
    const beginning = text.slice(at, at + keptOfLongLine)
    this.handlers.onFault({ text: beginning, fields: undefined, line: this.line, lineEnd: "\n" }, tooLong)
    this.isSkipping = true
    return at + keptOfLongLine
  }

  /** Names the lines of a text, which starts with line `first`, that are not UTF-8. */
  private checkEncoding(text: string, first: number): void {
    const bytes = Buffer.from(text, "latin1")
    if (isUtf8(bytes)) return
    let start = 0
    for (let line = first; start < bytes.length; line++) {
      const lineFeed = bytes.indexOf(0x0a, start)
      const end = lineFeed < 0 ? bytes.length : lineFeed
      if (!isUtf8(bytes.subarray(start, end))) this.handlers.onNotUtf8(line)
      start = end + 1
    }
  }
}

const beyondAscii = /[\u0080-\uffff]/

const incomplete = -1

const tooLong = `the line is longer than ${longestRow} bytes; only its beginning is kept`
const notClosed = "a quote that opens a field is not closed before the end of the file"
const notClosedSoon = `a quote that opens a field is not closed within ${longestRow} bytes`
const strayText = "a quote that closes a field is followed by neither a comma nor the end of the line"
const strayQuote = "a quote stands inside a field that does not start with one"

interface QuotedRow {
  /** Where the line feed is, or where the fault shows. */
  readonly end: number
  readonly fields: ReadonlyArray<string>
  readonly reason: string | undefined
}

/** Reads a row field by field; undefined if the text ends before the row does. */
const scanQuotedRow = (text: string, start: number): QuotedRow | undefined => {
  const fields: Array<string> = []
  let lineFeed = -1
  for (let at = start; ; ) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at + 1) : at - 1
    if (isQuoted && close < 0) return undefined
    if (lineFeed <= close) lineFeed = text.indexOf("\n", close + 1)
    if (lineFeed < 0) return undefined
    const comma = text.indexOf(",", close + 1)
    const end = comma < 0 ? lineFeed : Math.min(comma, lineFeed)
    const plainEnd = end === lineFeed ? withoutReturn(text, close + 1, end) : end
    if (isQuoted && plainEnd > close + 1) return { end: close + 1, fields, reason: strayText }
    const field = isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, plainEnd)
    if (!isQuoted && field.includes('"')) return { end, fields, reason: strayQuote }
    fields.push(field)
    if (end === lineFeed) return { end, fields, reason: undefined }
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

/** The place of the first `wanted` from `from` on, or infinity. */
const nextOf = (text: string, wanted: string, from: number): number => {
  const at = text.indexOf(wanted, from)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

/** Where a line ends that has its line feed at `lineFeed`. */
const withoutReturn = (text: string, start: number, lineFeed: number): number =>
  lineFeed > start && text.charCodeAt(lineFeed - 1) === 0x0d ? lineFeed - 1 : lineFeed

const linesIn = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++
  return count
}
