/** Interning of repeated values: without it, every row from the database has separate copies of equal values. */
export class SharedValues {
  private readonly known = new Map<string, unknown>()

  /** The first value with the same JSON. It is shared, so it must not be changed. */
  readonly share = <A extends string | ReadonlyArray<string>>(value: A): A => {
    const name = JSON.stringify(value)
    const first = this.known.get(name)
    if (first !== undefined) return first as A
    if (this.known.size >= maxKnown) this.known.clear()
    this.known.set(name, value)
    return value
  }
}

/** Maximum number of values. Resetting bounds the memory and costs little. */
const maxKnown = 10_000
