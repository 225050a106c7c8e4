/**
 * Distinct texts by number, in the order of their first appearance. They are kept as UTF-8 in one array with a hash
 * table beside it, about 12 bytes each and their own, so that building an index of tens of millions of rows needs no
 * strings: a string cut from a chunk of a file keeps the whole chunk in memory.
 */
import { decoder, encodeUtf8 } from "../csv/TextCoding.ts"

export class TextTable {
  size = 0
  private bytes: Uint8Array = new Uint8Array(1 << 12)
  /** Start of each text, and the end of the last. */
  private starts: Uint32Array = new Uint32Array(1 << 8)
  /** The hash of each text. */
  private hashes: Int32Array = new Int32Array(1 << 8)
  /** Open addressing: number of the text plus 1, or 0. At most half full. */
  private slots: Uint32Array = new Uint32Array(1 << 9)

  /** The number of a text, which is added if it is new. */
  add(text: string): number {
    const start = this.starts[this.size] as number
    const end = this.write(text, start)
    const hash = hashOf(this.bytes, start, end)
    const last = this.slots.length - 1
    let slot = hash & last
    for (let found = this.slots[slot] as number; found !== 0; found = this.slots[slot] as number) {
      if (this.hashes[found - 1] === hash && this.isAt(found - 1, start, end)) return found - 1
      slot = (slot + 1) & last
    }
    this.slots[slot] = this.size + 1
    this.append(hash, end)
    return this.size - 1
  }

  textAt(index: number): string {
    return decoder.decode(this.bytes.slice(this.starts[index], this.starts[index + 1]))
  }

  /** The bytes of all texts, and where each starts. */
  columns(): { readonly bytes: Uint8Array; readonly starts: Uint32Array } {
    const end = this.starts[this.size] as number
    return { bytes: this.bytes.slice(0, end), starts: this.starts.slice(0, this.size + 1) }
  }

  private append(hash: number, end: number): void {
    this.hashes[this.size] = hash
    this.size++
    if (this.size + 1 >= this.starts.length) {
      this.starts = grown(this.starts, (length) => new Uint32Array(length))
      this.hashes = grown(this.hashes, (length) => new Int32Array(length))
    }
    this.starts[this.size] = end
    if (2 * this.size >= this.slots.length) this.rehash()
  }

  private rehash(): void {
    this.slots = new Uint32Array(2 * this.slots.length)
    const last = this.slots.length - 1
    for (let index = 0; index < this.size; index++) {
      let slot = (this.hashes[index] as number) & last
      while (this.slots[slot] !== 0) slot = (slot + 1) & last
      this.slots[slot] = index + 1
    }
  }

  /** Writes a text behind the others; returns its end. */
  private write(text: string, start: number): number {
    while (start + 3 * text.length > this.bytes.length) this.bytes = grown(this.bytes, (n) => new Uint8Array(n))
    const { bytes } = this
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x7f) {
        const encoded = encodeUtf8(text)
        bytes.set(encoded, start)
        return start + encoded.length
      }
      bytes[start + at] = code
    }
    return start + text.length
  }

  private isAt(index: number, start: number, end: number): boolean {
    const { bytes } = this
    let at = this.starts[index] as number
    if ((this.starts[index + 1] as number) - at !== end - start) return false
    for (let own = start; own < end; own++) if (bytes[own] !== bytes[at++]) return false
    return true
  }
}

const grown = <Column extends Uint8Array | Uint32Array | Int32Array>(
  column: Column,
  make: (length: number) => Column
): Column => {
  const larger = make(2 * column.length)
  larger.set(column)
  return larger
}

const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = end - start
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
