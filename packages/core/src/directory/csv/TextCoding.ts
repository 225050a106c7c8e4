/** UTF-8 encoding and decoding by the runtime. */

/** A lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Encodes text in chunks that are cut anywhere, also within a character of two code units. */
export class Utf8Encoding {
  /** The last code unit, if it is the first half of a character. */
  private half = ""

  encode(chunk: string): Uint8Array {
    const text = this.half + chunk
    const isCut = /[\ud800-\udbff]$/.test(text)
    this.half = isCut ? text.slice(-1) : ""
    return encodeUtf8(isCut ? text.slice(0, -1) : text)
  }

  /** The last half, as U+FFFD. */
  end(): Uint8Array {
    const rest = encodeUtf8(this.half)
    this.half = ""
    return rest
  }
}

/** @throws TypeError if the bytes are not UTF-8 */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  // A copy, because browsers refuse to decode shared memory.
  strictDecoder.decode(new Uint8Array(bytes))

/** Throws a TypeError for malformed bytes. A byte order mark is kept; readers of the text handle it. */
export const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Replaces malformed bytes by U+FFFD. A byte order mark is kept. */
export const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true })

/** The encodings of files that people have. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "macintosh"

/** Decodes bytes in chunks. */
export interface Decoder {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string
}

/** A decoder that replaces malformed bytes by U+FFFD and keeps a byte order mark. */
export const makeDecoder = (encoding: Encoding): Decoder => new TextDecoder(encoding, { fatal: false, ignoreBOM: true })

// Available in every runtime, but not in the language's library.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: Encoding,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean }
) => Decoder
