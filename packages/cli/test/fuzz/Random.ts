/** Choices that are the same for the same seed, on every machine: Mulberry32. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<A>(from: ReadonlyArray<A>): A {
    return from[this.below(from.length)] as A
  }

  /** As many characters of an alphabet. */
  text(length: number, alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("")
  }
}
