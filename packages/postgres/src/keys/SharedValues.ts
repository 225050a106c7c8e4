/** Values that occur again and again, each kept once. Every row brings texts and lists of its own, equal or not. */
export class SharedValues {
  private readonly known = new Map<string, unknown>()

  /** The first value that was equal to this one, as JSON: nobody may change it. */
  readonly share = <A extends string | ReadonlyArray<string>>(value: A): A => {
    const name = JSON.stringify(value)
    const first = this.known.get(name)
    if (first !== undefined) return first as A
    if (this.known.size >= mostRecognized) this.known.clear()
    this.known.set(name, value)
    return value
  }
}

/** How many are recognized when they come again. Starting over bounds the memory, and loses little. */
const mostRecognized = 10_000
