/**
 * The set of identifiers in a file, as 64-bit hashes: 16 to 32 bytes of memory per identifier. A collision would treat
 * two identifiers as one; among ten million identifiers the probability is about 1 in 400,000.
 */
import { hash } from "node:crypto"

/** A hash set that answers only whether it contains an identifier. */
export class SeenIdentifiers {
  /** Two numbers per slot; two zeros mark a free slot. */
  private slots = new Uint32Array(2 * 1024)
  private size = 0

  has(identifier: string): boolean {
    const [high, low] = fingerprint(identifier)
    return !this.isFree(this.placeOf(high, low))
  }

  add(identifier: string): void {
    const [high, low] = fingerprint(identifier)
    if (!this.put(high, low)) return
    this.size++
    if (this.size * 4 > this.slots.length) this.grow()
  }

  private put(high: number, low: number): boolean {
    const place = this.placeOf(high, low)
    if (!this.isFree(place)) return false
    this.slots[place] = high
    this.slots[place + 1] = low
    return true
  }

  /** The slot of a hash, or the free slot for it. */
  private placeOf(high: number, low: number): number {
    const last = this.slots.length / 2 - 1
    for (let at = low & last; ; at = (at + 1) & last) {
      const place = 2 * at
      if (this.isFree(place) || (this.slots[place] === high && this.slots[place + 1] === low)) return place
    }
  }

  private isFree(place: number): boolean {
    return this.slots[place] === 0 && this.slots[place + 1] === 0
  }

  private grow(): void {
    const { slots } = this
    this.slots = new Uint32Array(2 * slots.length)
    for (let place = 0; place < slots.length; place += 2) {
      const [high, low] = [slots[place] as number, slots[place + 1] as number]
      if (high !== 0 || low !== 0) this.put(high, low)
    }
  }
}

const fingerprint = (identifier: string): readonly [high: number, low: number] => {
  // As text: a buffer per identifier would take more memory than the set.
  const digest = hash("sha256", identifier, "binary")
  const low = wordAt(digest, 4)
  return [wordAt(digest, 0), low === 0 ? 1 : low]
}

/** 32 bits of byte text. */
const wordAt = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0
