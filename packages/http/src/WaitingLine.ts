/** Who waits, in the order of coming. Both ends can be taken, and whoever goes away is in no one's way. */
export class WaitingLine<A> {
  /** Those that are there. Others may still be in `items`. */
  private readonly present = new Set<A>()
  private items: Array<A> = []
  /** Where `items` begins. */
  private head = 0

  get size(): number {
    return this.present.size
  }

  add(item: A): void {
    this.present.add(item)
    this.items.push(item)
  }

  delete(item: A): void {
    this.present.delete(item)
  }

  /** The one that has waited longest; undefined if nobody waits. */
  first(): A | undefined {
    for (; this.head < this.items.length; this.head++) {
      const item = this.items[this.head] as A
      if (this.present.has(item)) return this.compacted(item)
    }
    return undefined
  }

  /** The one that has come last; undefined if nobody waits. */
  last(): A | undefined {
    for (; this.items.length > this.head; this.items.pop()) {
      const item = this.items[this.items.length - 1] as A
      if (this.present.has(item)) return item
    }
    return undefined
  }

  /** Gives back what lies in front once that is most of it, so that each item is moved once on average. */
  private compacted(first: A): A {
    if (this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head)
      this.head = 0
    }
    return first
  }
}
