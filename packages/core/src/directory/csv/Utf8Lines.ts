/** Passes bytes on up to the first line that is not UTF-8, in chunks that are cut anywhere. */
import { decoder, encodeUtf8, strictDecoder } from "./TextCoding.ts"
import { firstBeyondAscii } from "./Utf8Conversion.ts"

export class Utf8Lines {
  /** Whether malformed bytes have come. Nothing after them is passed on. */
  isMalformed = false
  /** The bytes of the last character, which may be incomplete. */
  private rest = new Uint8Array(0)

  /** The result may be the chunk itself. */
  wellFormed(chunk: Uint8Array): Uint8Array {
    if (this.rest.length === 0 && firstBeyondAscii(chunk) < 0) return chunk
    const bytes = this.rest.length === 0 ? chunk : joined(this.rest, chunk)
    const end = endOfWholeCharacters(bytes)
    this.rest = bytes.slice(end)
    return this.checked(bytes.subarray(0, end))
  }

  /** The last character. */
  end(): Uint8Array {
    return this.checked(this.rest)
  }

  private checked(bytes: Uint8Array): Uint8Array {
    try {
      strictDecoder.decode(bytes)
      return bytes
    } catch {
      this.isMalformed = true
      return wellFormedLines(bytes)
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
