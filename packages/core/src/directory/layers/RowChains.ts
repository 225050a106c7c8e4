/**
 * A hash table of rows that only grows. Each row is linked to the row before it with the same hash, so rows with a key
 * are found newest first, and rows that are added later disturb no reader.
 */
export class RowChains {
  private readonly keyOf: (row: number) => number
  private length = 0
  /** By hash: the newest row, or −1. Twice the capacity, so that most unknown keys are found missing at once. */
  private heads = noRows(2 * initialCapacity)
  /** By row: the row before it in its chain, or −1. */
  private previous = noRows(initialCapacity)

  constructor(keyOf: (row: number) => number) {
    this.keyOf = keyOf
  }

  /** Adds the next row: 0, then 1, and so on. */
  add(): void {
    if (this.length === this.previous.length) this.grow()
    const row = this.length++
    const slot = this.slotOf(this.keyOf(row))
    this.previous[row] = this.heads[slot] as number
    this.heads[slot] = row
  }

  /** The newest row with a key, or −1. */
  newest(key: number): number {
    return this.firstWith(key, this.heads[this.slotOf(key)] as number)
  }

  /** The row with this key before another one, or −1. */
  before(row: number, key: number): number {
    return this.firstWith(key, this.previous[row] as number)
  }

  private firstWith(key: number, newest: number): number {
    let row = newest
    while (row >= 0 && this.keyOf(row) !== key) row = this.previous[row] as number
    return row
  }

  /** The low 32 bits of a key distinguish nearly all units of a country. */
  private slotOf(key: number): number {
    const hash = Math.imul(key | 0, 0x9e3779b1)
    return (hash ^ (hash >>> 15)) & (this.heads.length - 1)
  }

  private grow(): void {
    const { length } = this
    this.heads = noRows(4 * length)
    this.previous = noRows(2 * length)
    this.length = 0
    while (this.length < length) this.add()
  }
}

/** A power of two. */
const initialCapacity = 64

const noRows = (count: number): Int32Array => new Int32Array(count).fill(-1)
