/**
 * Finds the oldest key of a map that is full. An iterator goes on where it was: a new one each time would walk over all that
 * was removed in front, which takes longer with each key. But one that stands still keeps every table that the map has
 * outgrown since, with all that was in it. So it is given up once the map has changed as often as it has entries, and the
 * next one walks over as many at most.
 */
export class OldestKey<K> {
  private readonly map: ReadonlyMap<K, unknown>
  private iterator: Iterator<K> | undefined
  private changes = 0

  constructor(map: ReadonlyMap<K, unknown>) {
    this.map = map
  }

  /** To be told of each key that is put into the map. */
  added(): void {
    if (++this.changes <= this.map.size) return
    this.changes = 0
    this.iterator = undefined
  }

  /** The oldest key, which is to be removed then; undefined if there is none. */
  next(): K | undefined {
    this.changes = 0
    this.iterator ??= this.map.keys()
    const { done, value } = this.iterator.next()
    if (done === true) this.iterator = undefined
    return value
  }
}
