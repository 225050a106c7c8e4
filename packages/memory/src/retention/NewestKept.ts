/**
 * A list that is added to at its end and forgotten from its front, where each item keeps its index for ever: so pages and
 * cursors that name indexes hold, whatever was forgotten meanwhile.
 */

/** How many forgotten items wait at least to be cleared away together. */
const fewest = 1_024

export class NewestKept<A> {
  private readonly items: Array<A | undefined> = []
  /** How many were forgotten and cleared away, and how many wait for that in front of the others. */
  private cleared = 0
  private forgotten = 0

  /** How many there ever were. */
  get length(): number {
    return this.cleared + this.items.length
  }

  /** The index of the oldest that is kept; `length` if none is. */
  get first(): number {
    return this.cleared + this.forgotten
  }

  /** How many are kept. */
  get size(): number {
    return this.items.length - this.forgotten
  }

  at(index: number): A | undefined {
    return this.items[index - this.cleared]
  }

  /** Adds an item, and answers its index. */
  push(item: A): number {
    return this.cleared + this.items.push(item) - 1
  }

  /** Answers what is forgotten; undefined if nothing is kept. */
  forgetOldest(): A | undefined {
    if (this.size === 0) return undefined
    const oldest = this.items[this.forgotten]
    this.items[this.forgotten++] = undefined
    // All that is left moves, so that is worth it only once as much was forgotten.
    if (this.forgotten >= fewest && this.forgotten >= this.size) {
      this.items.splice(0, this.forgotten)
      this.cleared += this.forgotten
      this.forgotten = 0
    }
    return oldest
  }
}
