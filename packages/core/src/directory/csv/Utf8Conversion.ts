/** Converts the bytes of a file to UTF-8 with line feeds, in chunks that are cut anywhere. */
import { type Decoder, type Encoding, encodeUtf8, makeDecoder, strictDecoder } from "./TextCoding.ts"

/** What is to be converted. */
export interface SourceText {
  /** `ascii` if the start of the file fits both UTF-8 and Windows-1252: then the first other character decides. */
  readonly encoding: Encoding | "ascii"
  /** Whether lines end with a carriage return alone. */
  readonly endsWithReturn: boolean
}

export class Utf8Conversion {
  private readonly source: SourceText
  private readonly onWindows1252: () => void
  private decoder: Decoder | undefined
  private isDecided: boolean
  /** The last bytes, if they may be an incomplete character before the encoding is decided. */
  private rest: Uint8Array = new Uint8Array(0)
  /** The number of ^Z at the end so far. DOS marks the end of a file with one. */
  private endMarks = 0

  /** @param onWindows1252 called if the text turns out to be Windows-1252 after its start */
  constructor(source: SourceText, onWindows1252: () => void = () => {}) {
    const { encoding } = source
    this.source = source
    this.onWindows1252 = onWindows1252
    this.isDecided = encoding !== "ascii"
    if (encoding !== "ascii" && encoding !== "utf-8") this.decoder = makeDecoder(encoding)
  }

  /** The result may be the chunk itself. */
  convert(chunk: Uint8Array): Uint8Array {
    const bytes = this.rest.length === 0 ? chunk : joined(this.rest, chunk)
    if (!this.isDecided) this.decide(bytes)
    const end = this.isDecided ? bytes.length : endOfAscii(bytes)
    this.rest = new Uint8Array(bytes.subarray(end))
    return this.ended(this.decode(bytes.subarray(0, end), true))
  }

  /** The last bytes. */
  end(): Uint8Array {
    const { rest } = this
    this.rest = new Uint8Array(0)
    if (!this.isDecided && rest.length > 0 && !isUtf8(rest)) this.beWindows1252()
    return this.ended(this.decode(rest, false))
  }

  private decode(bytes: Uint8Array, stream: boolean): Uint8Array {
    return this.decoder === undefined ? bytes : encodeUtf8(this.decoder.decode(bytes, { stream }))
  }

  /** Text with the line ends of the readers. A final ^Z is kept back until more text follows. */
  private ended(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return bytes
    const text = this.endMarks === 0 ? bytes : joined(new Uint8Array(this.endMarks).fill(endOfFile), bytes)
    const end = endOfText(text)
    this.endMarks = text.length - end
    const whole = text.subarray(0, end)
    return this.source.endsWithReturn ? whole.map((byte) => (byte === carriageReturn ? lineFeed : byte)) : whole
  }

  private decide(bytes: Uint8Array): void {
    const first = firstBeyondAscii(bytes)
    if (first < 0 || first > bytes.length - 4) return
    this.isDecided = true
    const encoding = encodingOf(bytes.subarray(first))
    if (encoding === "windows-1252") this.beWindows1252()
  }

  private beWindows1252(): void {
    this.isDecided = true
    this.decoder = makeDecoder("windows-1252")
    this.onWindows1252()
  }
}

/**
 * The encoding of bytes that may end within a character. Text with a well-formed character of several bytes is UTF-8;
 * malformed bytes in it are the mistake of a line.
 */
export const encodingOf = (bytes: Uint8Array): "utf-8" | "ascii" | "windows-1252" => {
  let at = bytes.findIndex(isBeyondAscii)
  if (at < 0) return "ascii"
  let hasCharacter = false
  let isMalformed = false
  for (; at < bytes.length && !hasCharacter; at++) {
    const byte = bytes[at] as number
    if (!isBeyondAscii(byte)) continue
    const length = lengthOfCharacter(byte)
    if (length > 0 && at + length > bytes.length) break
    if (length > 0 && isUtf8(bytes.subarray(at, at + length))) hasCharacter = true
    else isMalformed = true
  }
  if (hasCharacter) return "utf-8"
  return isMalformed ? "windows-1252" : "ascii"
}

/** Bytes that Windows-1252 does not have. */
export const isUndefinedInWindows1252 = (byte: number): boolean =>
  byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d

/** The index of the first byte that is not ASCII, or −1. Sixteen bytes are looked at together: files have gigabytes. */
export const firstBeyondAscii = (bytes: Uint8Array): number => {
  const { buffer, byteOffset, length } = bytes
  const start = Math.min(length, (4 - (byteOffset % 4)) % 4)
  const words = new Uint32Array(buffer, byteOffset + start, (length - start) >>> 2)
  let word = 0
  if (!bytes.subarray(0, start).some(isBeyondAscii)) {
    const last = words.length - 3
    while (
      word < last &&
      ((at(words, word) | at(words, word + 1) | at(words, word + 2) | at(words, word + 3)) & highBits) === 0
    )
      word += 4
    while (word < words.length && (at(words, word) & highBits) === 0) word++
  }
  const from = word === 0 ? 0 : start + 4 * word
  const rest = bytes.subarray(from).findIndex(isBeyondAscii)
  return rest < 0 ? -1 : from + rest
}

const highBits = 0x80808080
const at = (words: Uint32Array, index: number): number => words[index] as number

const isBeyondAscii = (byte: number): boolean => byte >= 0x80

/** The number of bytes of a character, by the first; 0 if none starts with it. */
const lengthOfCharacter = (byte: number): number =>
  byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Where a character of several bytes may start that the chunk does not contain. */
const endOfAscii = (bytes: Uint8Array): number => {
  const tail = bytes.subarray(bytes.length - 3).findIndex(isBeyondAscii)
  return tail < 0 ? bytes.length : bytes.length - 3 + tail
}

/** Where final ^Z start. */
const endOfText = (bytes: Uint8Array): number => {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === endOfFile) end--
  return end
}

const endOfFile = 0x1a
const carriageReturn = 0x0d
const lineFeed = 0x0a
