/**
 * CSV as bytes in UTF-8. What is simple is read straight from them, row by row, without a string; the rest goes to a
 * `CsvReader` as text, whose word is the only one on what is a row and what is malformed.
 */
import type { CsvReader } from "./Csv.ts"
import { strictDecoder } from "./TextCoding.ts"
import { cutCharacter, firstMalformed } from "./Utf8.ts"

/** Reads simple rows from bytes. */
export interface ByteRows {
  /**
   * Looks at the row that starts at `start`. Returns where the next one starts, or −1 if this one is not simple, not
   * whole, or not well-formed UTF-8. `bytes[end]` is a line feed that does not belong to the row: whoever looks for the
   * end of a line meets it.
   */
  readonly scan: (bytes: Uint8Array, start: number, end: number) => number
  /** Takes the row that was looked at last; it stands on this line alone. */
  readonly take: (line: number) => void
}

export interface CsvBytesOptions {
  /** The most characters that a row may have, as told to the reader. */
  readonly maxRowLength: number
  readonly rows?: ByteRows
  /** The first line that is not UTF-8. Nothing behind it is read. */
  readonly onNotUtf8: (line: number) => void
}

export class CsvBytes {
  private readonly reader: CsvReader
  private readonly options: CsvBytesOptions
  /** What has come and was not passed on yet, less than a row as a rule, with the newest chunk behind it. */
  private buffer = new Uint8Array(0)
  private held = 0
  /** How many bytes at least to pass on to the reader: more and more while it is within a row. */
  private stride = 1
  private isStopped = false

  constructor(reader: CsvReader, options: CsvBytesOptions) {
    this.reader = reader
    this.options = options
  }

  /** The bytes may be cut anywhere, and may be overwritten afterwards. */
  write(chunk: Uint8Array): void {
    if (this.isStopped) return
    const end = this.held + chunk.length
    if (end + margin > this.buffer.length) this.grow(end + margin)
    this.buffer.set(chunk, this.held)
    this.buffer[end] = lineFeed
    const read = this.readRows(end)
    this.buffer.copyWithin(0, read, end)
    this.held = end - read
  }

  /** Says that no more comes. The reader itself is still to be told. */
  end(): void {
    if (this.held > 0 && !this.isStopped) {
      this.buffer[this.held] = lineFeed
      this.passOn(0, this.held)
    }
    this.held = 0
    this.buffer = new Uint8Array(0)
  }

  /** Reads what there is up to `end`; returns where the first row starts that is not whole. */
  private readRows(end: number): number {
    const { buffer, reader } = this
    const { maxRowLength, rows } = this.options
    let at = 0
    while (at < end && !this.isStopped) {
      const next = rows !== undefined && reader.isBetweenRows ? rows.scan(buffer, at, end) : -1
      if (next > at && next - at <= maxRowLength) {
        rows?.take(reader.passLine())
        at = next
      } else {
        const upTo = this.endOfText(at, end)
        if (upTo === at) return at
        this.passOn(at, upTo)
        this.stride = reader.isBetweenRows ? 1 : Math.min(2 * this.stride, maxRowLength)
        at = upTo
      }
    }
    return at
  }

  /** Up to where to pass on what starts at `at`: the end of a line, unless that is too far away. */
  private endOfText(at: number, end: number): number {
    if (this.options.rows === undefined) {
      const last = this.buffer.lastIndexOf(lineFeed, end - 1)
      if (last >= at) return last + 1
    } else if (at + this.stride <= end) {
      const next = this.buffer.indexOf(lineFeed, at + this.stride - 1)
      if (next < end) return next + 1
    }
    return end - at > this.options.maxRowLength ? cutCharacter(this.buffer, at, end) : at
  }

  private passOn(start: number, end: number): void {
    const wellFormed = this.decode(start, end)
    if (wellFormed !== undefined) {
      this.reader.write(wellFormed)
      return
    }
    const before = this.buffer.subarray(start, firstMalformed(this.buffer, start, end))
    this.reader.write(this.decode(start, start + before.lastIndexOf(lineFeed) + 1) ?? "")
    this.isStopped = true
    this.options.onNotUtf8(this.reader.nextLine)
  }

  /** Undefined if the bytes are not UTF-8. */
  private decode(start: number, end: number): string | undefined {
    try {
      return strictDecoder.decode(this.buffer.subarray(start, end))
    } catch {
      return undefined
    }
  }

  private grow(length: number): void {
    const larger = new Uint8Array(Math.max(length, 2 * this.buffer.length))
    larger.set(this.buffer.subarray(0, this.held))
    this.buffer = larger
  }
}

const lineFeed = 0x0a

/** Room for the line feed behind the text, and for what is looked at behind that in one go. */
const margin = 16
