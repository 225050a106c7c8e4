/** Chance that is the same in every run. */

export interface RandomNumbers {
  /** From 0 to below 1. */
  readonly next: () => number
  /** A whole number from 0 to below `end`. */
  readonly below: (end: number) => number
  readonly pick: <A>(choices: ReadonlyArray<A>) => A
}

/** Mulberry32. */
export const randomNumbers = (seed: number): RandomNumbers => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (end: number): number => Math.floor(next() * end)
  return { next, below, pick: (choices) => choices[below(choices.length)]! }
}
