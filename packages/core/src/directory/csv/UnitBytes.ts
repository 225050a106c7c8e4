/**
 * A row of units.csv read straight from its bytes. It takes what is well formed in every column and stands on one line,
 * in quotes or not; anything else it leaves to the reader of text, which knows the reasons. So whatever this takes, that
 * one takes, too, and to the same effect.
 */

import { segmentWidths } from "../../postcode/SegmentValue.ts"
import { packSegments } from "../codes/PackedCode.ts"
import { isLatitude, isLongitude, toE7 } from "../space/Coordinate.ts"
import type { ByteRows } from "./CsvBytes.ts"
import { decoder } from "./TextCoding.ts"
import { characterBytes } from "./Utf8.ts"

// The columns of units.csv by their numbers there, and all others.
const postcode = 0
const lat = 1
const lon = 2
const status = 3
const firstText = 4
const deliveryPoint = 9
const other = 10

/** Of the row that was scanned last. */
export class UnitBytes implements ByteRows {
  packedCode = 0
  lat_e7 = 0
  lon_e7 = 0
  isActive = false

  private readonly onUnit: (line: number) => void
  /** Which column each one of the file is; empty until its header has come. */
  private columns = new Uint8Array(0)
  private bytes: Uint8Array = new Uint8Array(0)
  /** Where the row starts in these bytes, and the one behind it. */
  private start = 0
  private next = 0
  /** How many bytes stand between the segments of its postcode. */
  private gap = 0
  /** Where the field of each column starts and ends, quotes excluded. */
  private readonly starts = new Uint32Array(other + 1)
  private readonly ends = new Uint32Array(other + 1)
  /** The number that was scanned last. */
  private degrees = 0

  /** @param onUnit called for each row that is taken, while the fields of this object tell of it */
  constructor(onUnit: (line: number) => void) {
    this.onUnit = onUnit
  }

  begin(columns: ReadonlyArray<number>): void {
    this.columns = Uint8Array.from(columns, (column) => (column < 0 ? other : column))
  }

  take(line: number): void {
    this.onUnit(line)
  }

  /** The fields of the row from `locality_name` on. */
  described(): ReadonlyArray<string> {
    // To make one text and cut it up is cheaper than to make each. It has an index for each byte if all are ASCII.
    const row = decoder.decode(this.bytes.subarray(this.start, this.next))
    const isAscii = row.length === this.next - this.start
    const fields: Array<string> = []
    for (let column = firstText; column <= deliveryPoint; column++) fields.push(this.field(column, row, isAscii))
    return fields
  }

  /** At most how many bytes `writeTo` writes. */
  get longest(): number {
    return this.next - this.start + canonicalLength
  }

  /**
   * Writes the row as a line of CSV with the columns in the order of `unitColumns`: the postcode in its canonical form,
   * the other fields byte by byte as they are. Returns where it ends.
   */
  writeTo(bytes: Uint8Array, at: number): number {
    let to = this.writePostcode(bytes, at)
    for (let column = lat; column <= deliveryPoint; column++) {
      const start = this.starts[column] as number
      const isQuoted = this.bytes[start - 1] === quote
      const end = (this.ends[column] as number) + (isQuoted ? 1 : 0)
      bytes[to++] = comma
      for (let from = isQuoted ? start - 1 : start; from < end; from++) bytes[to++] = this.bytes[from] as number
    }
    bytes[to++] = lineFeed
    return to
  }

  scan(bytes: Uint8Array, start: number, end: number): number {
    const { columns } = this
    const count = columns.length
    this.bytes = bytes
    this.start = start
    let at = start
    for (let index = 0; index < count; index++) {
      if (index > 0 && bytes[at++] !== comma) return notSimple
      const isQuoted = bytes[at] === quote
      if (isQuoted) at++
      at = this.scanField(bytes, at, columns[index] as number, isQuoted)
      if (at < 0 || (isQuoted && bytes[at++] !== quote)) return notSimple
    }
    if (bytes[at] === carriageReturn) at++
    this.next = at + 1
    return bytes[at] === lineFeed && at < end && count > 0 ? this.next : notSimple
  }

  private field(column: number, row: string, isAscii: boolean): string {
    const start = this.starts[column] as number
    const end = this.ends[column] as number
    const text = isAscii
      ? row.slice(start - this.start, end - this.start)
      : decoder.decode(this.bytes.subarray(start, end))
    return this.bytes[start - 1] === quote ? text.replaceAll('""', '"') : text
  }

  private writePostcode(bytes: Uint8Array, at: number): number {
    let from = this.starts[postcode] as number
    let to = at
    for (const width of segmentWidths) {
      if (to > at) bytes[to++] = dash
      for (let i = 0; i < width; i++) bytes[to++] = upperCase(this.bytes[from++] as number)
      from += this.gap
    }
    return to
  }

  private scanField(bytes: Uint8Array, start: number, column: number, isQuoted: boolean): number {
    const end = this.fieldEnd(bytes, start, column, isQuoted)
    this.starts[column] = start
    this.ends[column] = end
    return end
  }

  /** This and what follows return where the field ends, before the quote that closes it; or `notSimple`. */
  private fieldEnd(bytes: Uint8Array, start: number, column: number, isQuoted: boolean): number {
    switch (column) {
      case postcode:
        return this.scanPostcode(bytes, start)
      case lat: {
        const end = this.scanDecimal(bytes, start)
        this.lat_e7 = toE7(this.degrees)
        return isLatitude(this.degrees) ? end : notSimple
      }
      case lon: {
        const end = this.scanDecimal(bytes, start)
        this.lon_e7 = toE7(this.degrees)
        return isLongitude(this.degrees) ? end : notSimple
      }
      case status:
        return this.scanStatus(bytes, start)
      case deliveryPoint:
        return flagEnd(bytes, start)
      default:
        return isQuoted ? quotedEnd(bytes, start) : plainEnd(bytes, start)
    }
  }

  /** A postcode in any format and either case, with ASCII separators and nothing around it. */
  private scanPostcode(bytes: Uint8Array, start: number): number {
    const separator = bytes[start + 2] as number
    const gap = separator === dash || separator === space ? 1 : 0
    this.gap = gap
    const lga = start + 2 + gap
    const district = lga + 2 + gap
    const area = district + 3 + gap
    const unit = area + 2 + gap
    const isJoined =
      gap === 0 || (bytes[district - 1] === separator && bytes[area - 1] === separator && bytes[unit - 1] === separator)
    const stateValue = letters(bytes, start)
    const lgaValue = digits(bytes, lga)
    const districtValue = lettersOrDigits(bytes, district)
    const areaValue = letters(bytes, area)
    const unitValue = digits(bytes, unit)
    if (!isJoined || (stateValue | lgaValue | districtValue | areaValue | unitValue) < 0) return notSimple
    this.packedCode = packSegments(stateValue, lgaValue, districtValue, areaValue, unitValue)
    return unit + 2
  }

  /**
   * A decimal number whose digits are a safe integer. That and the power of ten are exact, so the quotient is rounded
   * once, to the very double that `Number` gives.
   */
  private scanDecimal(bytes: Uint8Array, start: number): number {
    const sign = bytes[start]
    const first = sign === minus || sign === plus ? start + 1 : start
    let at = first
    let value = 0
    let digit = (bytes[at] as number) - zero
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      digit = (bytes[++at] as number) - zero
    }
    let decimals = 0
    if (bytes[at] === point) {
      const firstDecimal = ++at
      digit = (bytes[at] as number) - zero
      while (digit >= 0 && digit <= 9) {
        value = value * 10 + digit
        digit = (bytes[++at] as number) - zero
      }
      decimals = at - firstDecimal
      if (decimals === 0 || firstDecimal - 1 === first) return notSimple
    }
    if (at === first || value > Number.MAX_SAFE_INTEGER || decimals > maxDecimals) return notSimple
    const magnitude = value / (powersOfTen[decimals] as number)
    this.degrees = sign === minus ? -magnitude : magnitude
    return at
  }

  private scanStatus(bytes: Uint8Array, start: number): number {
    this.isActive = bytes[start] === active[0]
    const word = this.isActive ? active : retired
    return startsWith(bytes, start, word) ? start + word.length : notSimple
  }
}

const notSimple = -1

const canonicalLength = 15

const nul = 0
const space = 0x20
const quote = 0x22
const plus = 0x2b
const comma = 0x2c
const minus = 0x2d
const dash = 0x2d
const point = 0x2e
const zero = 0x30
const carriageReturn = 0x0d
const lineFeed = 0x0a

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

const active = ascii("active")
const retired = ascii("retired")
const yes = ascii("true")
const no = ascii("false")

/** 10^22 is the last power of ten that a double can be. */
const maxDecimals = 22
const powersOfTen = Float64Array.from({ length: maxDecimals + 1 }, (_, power) => Number(`1e${power}`))

const upperCase = (byte: number): number => (byte > 0x60 ? byte - 0x20 : byte)

const startsWith = (bytes: Uint8Array, start: number, word: Uint8Array): boolean => {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false
  return true
}

/** Where `true`, `false` or nothing ends. */
const flagEnd = (bytes: Uint8Array, start: number): number =>
  startsWith(bytes, start, yes) ? start + yes.length : startsWith(bytes, start, no) ? start + no.length : start

/** Where a field ends that does not start with a quote. Programs differ on what a carriage return within one means. */
const plainEnd = (bytes: Uint8Array, start: number): number => {
  let at = start
  for (;;) {
    let byte = bytes[at] as number
    while (byte > comma && byte < 0x80) byte = bytes[++at] as number
    if (byte === comma || byte === lineFeed) return at
    if (byte === carriageReturn) return bytes[at + 1] === lineFeed ? at : notSimple
    const width = byte === quote || byte === nul ? 0 : characterBytes(bytes, at)
    if (width === 0) return notSimple
    at += width
  }
}

/** Where the quote is that closes a field, if the field ends on this line. */
const quotedEnd = (bytes: Uint8Array, start: number): number => {
  let at = start
  for (;;) {
    let byte = bytes[at] as number
    while (byte > quote && byte < 0x80) byte = bytes[++at] as number
    const isClosing = byte === quote && bytes[at + 1] !== quote
    if (isClosing) return at
    const width = byte === quote ? 2 : byte === lineFeed || byte === nul ? 0 : characterBytes(bytes, at)
    if (width === 0) return notSimple
    at += width
  }
}

// The values of segments, negative if a byte is none of its characters.

const letters = (bytes: Uint8Array, at: number): number => {
  const first = letter(bytes[at] as number)
  const second = letter(bytes[at + 1] as number)
  return (first | second) < 0 ? -1 : first * 26 + second
}

const digits = (bytes: Uint8Array, at: number): number => {
  const first = digit(bytes[at] as number)
  const second = digit(bytes[at + 1] as number)
  return (first | second) < 0 ? -1 : first * 10 + second
}

const lettersOrDigits = (bytes: Uint8Array, at: number): number => {
  const first = letterOrDigit(bytes[at] as number)
  const second = letterOrDigit(bytes[at + 1] as number)
  const third = letterOrDigit(bytes[at + 2] as number)
  return (first | second | third) < 0 ? -1 : (first * 36 + second) * 36 + third
}

const letter = (byte: number): number => {
  const value = (byte | 0x20) - 0x61
  return value > 25 ? -1 : value
}

const digit = (byte: number): number => {
  const value = byte - zero
  return value > 9 ? -1 : value
}

const letterOrDigit = (byte: number): number => {
  const value = letter(byte)
  return value < 0 ? digit(byte) : value + 10
}
