/**
 * Reproducible randomness. Every choice of the demonstration is a hash of its object (a district, a street, a house)
 * and the seed, so choices can be computed alone and in any order. 32-bit integer arithmetic gives the same result on
 * every machine.
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

/** The root of all hashes of a seed. All integers up to 2^53 are distinct seeds. */
export const root = (seed: number): number => child(mix(seed | 0), Math.floor(seed / 4_294_967_296) | 0)
