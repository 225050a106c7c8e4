/** Rows as bytes, for a database. */
import { encodeUtf8 } from "./TextCoding.ts"

export class KeptRows {
  private bytes = new Uint8Array(1 << 16)
  private length = 0

  /** Adds a range of bytes. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const to = this.length
    if (to + end - start > this.bytes.length) this.grow(to + end - start)
    // Rows are short: a loop is faster than a view and its copy.
    for (let at = start; at < end; at++) this.bytes[to + at - start] = bytes[at] as number
    this.length += end - start
  }

  addText(text: string): void {
    const bytes = encodeUtf8(text)
    this.add(bytes, 0, bytes.length)
  }

  /** What was added since the last call. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }

  private grow(length: number): void {
    const grown = new Uint8Array(Math.max(length, 2 * this.bytes.length))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }
}
