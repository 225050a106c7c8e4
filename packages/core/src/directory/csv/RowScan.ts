/**
 * Finds the fields of one row of CSV (RFC 4180) in bytes: the only place with the rules of quotes. Delimiters, quotes and
 * line ends are single bytes, as in UTF-8.
 */

/** In place of the line feed at the end of a row. */
export const incomplete = -1
export const faulty = -2

/** What has the bytes. Two line feeds follow them, so that every field has an end. */
export interface ScannedBytes {
  readonly bytes: Uint8Array
  readonly length: number
}

/**
 * What backslashes escape: quotes in quoted fields, or everything in all fields, as MySQL and PostgreSQL write tables of
 * text.
 */
export type Backslashes = "quotes" | "everything"

export class RowScan {
  /** The fields: where each starts and ends, without the quotes around it. */
  count = 0
  starts = new Int32Array(32)
  ends = new Int32Array(32)
  /** Whether each field has quotes that are doubled, or escaped by a backslash. */
  escaped = new Uint8Array(32)
  /** The line feed at the end of the first line; −1 if it was not reached. */
  firstLineEnd = -1
  hasQuotes = false
  /** Whether there are blanks around quotes, backslashes before them, or quotes in a field that does not start with one. */
  hasOddQuotes = false
  /** Whether a quote follows an equals sign, as in `="007"`. */
  hasFormula = false
  /** Whether a field that does not start with a quote has one. */
  hasInnerQuotes = false
  /** Whether all bytes are ASCII, and not NUL. */
  isAscii = true
  /** Of a faulty row. */
  fault = ""
  faultAt = 0
  /** Whether backslashes escape quotes in this row. */
  hasBackslashes = false
  /** Whether a backslash in this row escapes what is after it, in a file where they escape everything. */
  hasEscapes = false
  /** Whether a quote in a quoted field of this row is a character unless the field may end after it. */
  private keepsQuotes = false
  private readonly delimiter: number
  private readonly escapesAll: boolean
  /** By the byte: 0, or 1 if it is NUL or not ASCII, or 2 if it may end a field. A look at a table is faster than comparisons. */
  private readonly signs: Uint8Array
  /** The signs of all bytes. */
  private bits = 0

  /**
   * @param delimiter the character code
   * @param escapesAll whether backslashes escape everything
   */
  constructor(delimiter: number, escapesAll = false) {
    this.delimiter = delimiter
    this.escapesAll = escapesAll
    this.signs = signsWith([delimiter, lineFeed, quote, ...(escapesAll ? [backslash] : [])])
  }

  /** Returns the line feed at the end of the row at `from`, or `incomplete`, or `faulty`. */
  scan(source: ScannedBytes, from: number, hasBackslashes: boolean, keepsQuotes = false): number {
    const { bytes, length } = source
    const { signs } = this
    this.begin(hasBackslashes)
    this.keepsQuotes = keepsQuotes
    for (let start = from; ; ) {
      let at = start
      let bits = 0
      let byte = bytes[at] as number
      for (let sign = signs[byte] as number; sign < ending; sign = signs[byte] as number) {
        bits |= sign
        byte = bytes[++at] as number
      }
      this.bits |= bits
      if (byte === backslash || (byte === quote && keepsQuotes && this.escapesAll)) {
        at = this.scanEscaped(bytes, start, at)
        byte = bytes[at] as number
      } else if (byte === quote) {
        at = this.scanQuoted(source, start, at)
        if (at < 0) return at
        byte = bytes[at] as number
      } else this.add(start, byte === lineFeed && at > start && bytes[at - 1] === carriageReturn ? at - 1 : at, 0)
      if (byte === lineFeed) return at < length ? this.finish(at) : incomplete
      start = at + 1
    }
  }

  private begin(hasBackslashes: boolean): void {
    this.count = 0
    this.bits = 0
    this.firstLineEnd = -1
    this.hasQuotes = false
    this.hasOddQuotes = false
    this.hasFormula = false
    this.hasInnerQuotes = false
    this.hasEscapes = false
    this.hasBackslashes = hasBackslashes
  }

  private finish(lineEnd: number): number {
    if (this.firstLineEnd < 0) this.firstLineEnd = lineEnd
    this.isAscii = this.bits === 0
    return lineEnd
  }

  /**
   * Reads a field with a quote at `open`. Returns the delimiter or line feed after it, `incomplete` or `faulty`. A line
   * feed may be that after all bytes.
   */
  private scanQuoted(source: ScannedBytes, start: number, open: number): number {
    const { bytes } = source
    this.hasQuotes = true
    for (let at = start; at < open; at++)
      if (!this.isBlank(bytes[at] as number)) return this.scanUnquoted(bytes, start, open)
    const close = this.closingQuote(source, open + 1)
    if (close < 0) return incomplete
    const escaped = this.isEscaped
    let at = close + 1
    while (this.isBlank(bytes[at] as number)) at++
    if (at > close + 1 || open > start) this.hasOddQuotes = true
    // A carriage return belongs to the line end, also if the line feed may follow in the next chunk.
    if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) at++
    const byte = bytes[at]
    if (byte !== this.delimiter && byte !== lineFeed) {
      return this.refuse(bytes[close + 1] === carriageReturn ? close + 2 : close + 1, strayText)
    }
    this.add(open + 1, close, escaped)
    return at
  }

  /** The rest of a field that does not start with a quote: those in it are characters, as in `19" rims`. */
  private scanUnquoted(bytes: Uint8Array, start: number, from: number): number {
    let at = from
    for (; ; at++) {
      const byte = bytes[at] as number
      if (byte === this.delimiter || byte === lineFeed) break
      if (byte === quote && bytes[at - 1] === equals) this.hasFormula = true
      this.bits |= (this.signs[byte] as number) & 1
    }
    this.hasInnerQuotes = true
    this.hasOddQuotes = true
    this.add(start, bytes[at] === lineFeed && bytes[at - 1] === carriageReturn ? at - 1 : at, 0)
    return at
  }

  /** The rest of a field in a file whose backslashes escape everything. Quotes in it are characters. */
  private scanEscaped(bytes: Uint8Array, start: number, from: number): number {
    let at = from
    for (; ; at++) {
      const byte = bytes[at] as number
      if (byte === this.delimiter || byte === lineFeed) break
      this.bits |= (this.signs[byte] as number) & 1
      if (byte !== backslash) continue
      at++
      if (bytes[at] === lineFeed && this.firstLineEnd < 0) this.firstLineEnd = at
    }
    this.hasEscapes = true
    this.hasOddQuotes = true
    this.add(start, bytes[at] === lineFeed && bytes[at - 1] === carriageReturn ? at - 1 : at, 1)
    return at
  }

  /** Whether the field whose end was found last has escaped characters. */
  private isEscaped: 0 | 1 = 0

  /** The quote that closes a field; −1 if the bytes end before it, or with a quote that may be half a pair. */
  private closingQuote({ bytes, length }: ScannedBytes, from: number): number {
    const { hasBackslashes } = this
    let bits = 0
    this.isEscaped = 0
    for (let at = from; ; at++) {
      let byte = bytes[at] as number
      for (let sign = quotedSigns[byte] as number; sign < ending; sign = quotedSigns[byte] as number) {
        bits |= sign
        byte = bytes[++at] as number
      }
      if (at >= length) break
      if (byte === quote) {
        if (at + 1 >= length) break
        const before = bytes[at - 1]
        if (before === equals) this.hasFormula = true
        if (before === backslash) this.hasOddQuotes = true
        if (bytes[at + 1] === quote) {
          this.isEscaped = 1
          at++
        } else if (this.keepsQuotes && !this.mayEndField(bytes, at + 1)) this.hasOddQuotes = true
        else {
          this.bits |= bits
          return at
        }
      } else if (byte === lineFeed) {
        if (this.keepsQuotes) break
        if (this.firstLineEnd < 0) this.firstLineEnd = at
      } else if (byte === backslash && hasBackslashes && (bytes[at + 1] === quote || bytes[at + 1] === backslash)) {
        this.isEscaped = 1
        this.hasOddQuotes = true
        at++
      }
    }
    return -1
  }

  /** Whether only blanks are before the next delimiter or line end. */
  private mayEndField(bytes: Uint8Array, from: number): boolean {
    let at = from
    while (this.isBlank(bytes[at] as number)) at++
    if (bytes[at] === carriageReturn) at++
    return bytes[at] === this.delimiter || bytes[at] === lineFeed
  }

  private isBlank(byte: number): boolean {
    return byte === space || (byte === tab && this.delimiter !== tab)
  }

  private add(start: number, end: number, escaped: 0 | 1): void {
    const { count } = this
    if (count === this.starts.length) this.grow()
    this.starts[count] = start
    this.ends[count] = end
    this.escaped[count] = escaped
    this.count = count + 1
  }

  private grow(): void {
    const { ends, escaped, starts } = this
    this.starts = new Int32Array(2 * starts.length)
    this.ends = new Int32Array(2 * ends.length)
    this.escaped = new Uint8Array(2 * escaped.length)
    this.starts.set(starts)
    this.ends.set(ends)
    this.escaped.set(escaped)
  }

  private refuse(at: number, fault: string): number {
    this.faultAt = at
    this.fault = fault
    return faulty
  }
}

const ending = 2

const signsWith = (endings: ReadonlyArray<number>): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (endings.includes(byte) ? ending : byte === 0 || byte > 0x7f ? 1 : 0))

/** The content of a quoted field. */
export const unescaped = (field: string, hasBackslashes: boolean): string =>
  hasBackslashes ? field.replace(/\\(["\\])|""/g, (_, escaped = '"') => escaped) : field.replaceAll('""', '"')

/** The content of a field of a file whose backslashes escape everything. `\N` has no value, and stays. */
export const withoutBackslashes = (field: string): string =>
  field === "\\N" ? field : field.replace(/\\([\s\S])/g, (_, escaped: string) => escapedSigns[escaped] ?? escaped)

const escapedSigns: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "", f: "", v: "", Z: "", 0: "" }

const strayText = "a quote that closes a field is followed by neither a delimiter nor the end of the line"

export const lineFeed = 0x0a
export const carriageReturn = 0x0d
export const quote = 0x22
export const backslash = 0x5c
const quotedSigns = signsWith([quote, lineFeed, backslash])
const equals = 0x3d
const space = 0x20
const tab = 0x09
