/**
 * A FIFO list whose items keep their indexes after evictions, so that cursors with indexes stay valid.
 */

/** Minimum number of evicted items to remove together. */
const minRemoved = 1_024

export class NewestKept<A> {
  private readonly items: Array<A | undefined> = []
  /** Items removed from the array, and evicted items that are still in front of the others. */
  private removed = 0
  private evicted = 0

  /** The number of items ever added. */
  get length(): number {
    return this.removed + this.items.length
  }

  /** The index of the oldest item; `length` if there is none. */
  get first(): number {
    return this.removed + this.evicted
  }

  /** The number of items. */
  get size(): number {
    return this.items.length - this.evicted
  }

  at(index: number): A | undefined {
    return this.items[index - this.removed]
  }

  /** Adds an item and returns its index. */
  push(item: A): number {
    return this.removed + this.items.push(item) - 1
  }

  /** Evicts and returns the oldest item; undefined if there is none. */
  evictOldest(): A | undefined {
    if (this.size === 0) return undefined
    const oldest = this.items[this.evicted]
    this.items[this.evicted++] = undefined
    // Removal moves all remaining items, so it is delayed until enough items are evicted.
    if (this.evicted >= minRemoved && this.evicted >= this.size) {
      this.items.splice(0, this.evicted)
      this.removed += this.evicted
      this.evicted = 0
    }
    return oldest
  }
}
