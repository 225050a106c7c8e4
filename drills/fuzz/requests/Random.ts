import { type RandomNumbers, randomNumbers } from "../../../test/RandomNumbers.ts"

/** Choices that are the same for the same seed, on every machine. */
export class Random {
  private readonly next: RandomNumbers

  constructor(seed: number) {
    this.next = randomNumbers(seed)
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    return (this.next() * 2 ** 32) % bound
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
