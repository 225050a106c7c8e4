/** Choices by lot, the same for the same seed. */
import { randomNumbers } from "../../../test/RandomNumbers.ts"

export class Lot {
  private readonly next: () => number

  constructor(seed: number) {
    this.next = randomNumbers(seed)
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  one<A>(choices: ReadonlyArray<A>): A {
    if (choices.length === 0) throw new RangeError("there is nothing to choose from")
    return choices[this.below(choices.length)] as A
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  shuffled<A>(values: ReadonlyArray<A>): ReadonlyArray<A> {
    const left = [...values]
    return values.map(() => left.splice(this.below(left.length), 1)[0] as A)
  }
}
