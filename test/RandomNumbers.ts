/** Chance that is the same in every run. */

/** Numbers from 0 to below 1. */
export type RandomNumbers = () => number

/** Mulberry32: the same numbers for the same seed, on every machine. */
export const randomNumbers = (seed: number): RandomNumbers => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Whole numbers from 0 to below a bound. */
export const randomBelow = (seed: number): ((bound: number) => number) => {
  const next = randomNumbers(seed)
  return (bound) => Math.floor(next() * bound)
}
