/** Pseudo-random choices that are the same in every run. */
import { randomNumbers as numbers } from "../../../test/RandomNumbers.ts"

export interface RandomNumbers {
  /** From 0 to below 1. */
  readonly next: () => number
  /** An integer from 0 to below `end`. */
  readonly below: (end: number) => number
  readonly pick: <A>(choices: ReadonlyArray<A>) => A
}

export const randomNumbers = (seed: number): RandomNumbers => {
  const next = numbers(seed)
  const below = (end: number): number => Math.floor(next() * end)
  return { next, below, pick: (choices) => choices[below(choices.length)]! }
}
