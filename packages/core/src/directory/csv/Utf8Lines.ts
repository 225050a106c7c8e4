/** Decodes UTF-8 in chunks that are cut anywhere, up to the first line that is malformed. */
import { decoder, encodeUtf8, strictDecoder } from "./TextCoding.ts"

export class Utf8Lines {
  /** Whether malformed bytes have come. Nothing after them is decoded. */
  isMalformed = false
  /** The bytes of the last character, which may be incomplete. */
  private rest = new Uint8Array(0)

  decode(chunk: Uint8Array): string {
    const bytes = this.rest.length === 0 ? chunk : joined(this.rest, chunk)
    const end = endOfWholeCharacters(bytes)
    this.rest = bytes.slice(end)
    return this.text(bytes.subarray(0, end))
  }

  /** The text of the last character. */
  end(): string {
    return this.text(this.rest)
  }

  private text(bytes: Uint8Array): string {
    try {
      return strictDecoder.decode(bytes)
    } catch {
      this.isMalformed = true
      return strictDecoder.decode(wellFormedLines(bytes))
    }
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Where the last character starts if it has several bytes, since it may be incomplete; else the end. */
const endOfWholeCharacters = (bytes: Uint8Array): number => {
  let start = bytes.length - 1
  while (start > 0 && start > bytes.length - 4 && isContinuation(bytes[start] as number)) start--
  return (bytes[start] as number) >= minLeadByte ? start : bytes.length
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80
const minLeadByte = 0xc0

/** The lines before the first malformed character. Decoding replaces it by U+FFFD, which has other bytes. */
const wellFormedLines = (bytes: Uint8Array): Uint8Array => {
  const replaced = encodeUtf8(decoder.decode(bytes))
  const malformed = bytes.findIndex((byte, at) => byte !== replaced[at])
  // All bytes are equal if only the end of the last character is missing.
  const wellFormed = malformed < 0 ? bytes : bytes.subarray(0, malformed)
  return bytes.subarray(0, wellFormed.lastIndexOf(lineFeed) + 1)
}

const lineFeed = 0x0a
