/**
 * Repeatable randomness. Every choice the demonstration makes is a hash of what the choice is about (a district, a
 * street, a house) and the seed, so that any one of them can be made alone, in any order, and comes out the same on
 * every machine: 32-bit integer arithmetic only.
 */

/** A well-mixed signed 32-bit integer from another (the "lowbias32" permutation). */
export const mix = (value: number): number => {
  let hash = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return hash ^ (hash >>> 15)
}

/** The hash of `index` under `parent`; different indexes of one parent are independent. */
export const child = (parent: number, index: number): number => mix(parent ^ Math.imul(index + 1, 0x9e3779b1))

/** An integer from 0 up to, not including, `limit` (at most 65,536), taken from a hash. */
export const pick = (hash: number, limit: number): number => ((hash >>> 16) * limit) >>> 16

/** A fraction from 0 up to, not including, 1, in steps of 1/65,536, taken from a hash. */
export const fraction = (hash: number): number => (hash >>> 16) / 65_536

/** The root of all hashes of a seed; every integer is a seed of its own up to 2^53. */
export const root = (seed: number): number => child(mix(seed | 0), Math.floor(seed / 4_294_967_296) | 0)
