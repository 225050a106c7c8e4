/** Groups items into requests, in order, up to the maximum number and length of one. */
export class RequestBatches<A> {
  private batch: Array<A> = []
  private length_bytes = 0
  private readonly maxItems: number
  private readonly max_bytes: number
  private readonly contentOf: (item: A) => unknown

  /** @param contentOf the JSON of an item in the request */
  constructor(maxItems: number, max_bytes: number, contentOf: (item: A) => unknown) {
    this.maxItems = maxItems
    this.max_bytes = max_bytes
    this.contentOf = contentOf
  }

  /** Adds an item. Returns the batch before it if the item does not fit into that, otherwise undefined. */
  add(item: A): ReadonlyArray<A> | undefined {
    // With the comma.
    const more_bytes = Buffer.byteLength(JSON.stringify(this.contentOf(item))) + 1
    const isFull = this.batch.length === this.maxItems || this.length_bytes + more_bytes > this.max_bytes
    const full = isFull ? this.batch : undefined
    if (isFull) {
      this.batch = []
      this.length_bytes = 0
    }
    this.batch.push(item)
    this.length_bytes += more_bytes
    return full
  }

  /** The last batch; empty if there was no item. */
  get rest(): ReadonlyArray<A> {
    return this.batch
  }
}
