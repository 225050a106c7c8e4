/** Random numbers that are the same in every run. */

/** Gives a number from 0 to below 1. */
export type Random = () => number

/** Mulberry32: one seed, one row of numbers. */
export const randomFrom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Gives a whole number from 0 to below a bound. */
export const randomBelow = (seed: number): ((below: number) => number) => {
  const next = randomFrom(seed)
  return (below) => Math.floor(next() * below)
}
