/** A set of numbers as bits, the lowest bit of a byte first. */
import type { Arrays } from "../Arrays.ts"

/** Bits for the numbers below `count`, none of them set. */
export const emptyBits = (count: number, arrays?: Pick<Arrays, "bytes">): Uint8Array => {
  const length = (count + 7) >>> 3
  return arrays === undefined ? new Uint8Array(length) : arrays.bytes(length)
}

export const hasBit = (bits: Uint8Array, at: number): boolean => (((bits[at >>> 3] as number) >>> (at & 7)) & 1) === 1

export const setBit = (bits: Uint8Array, at: number): void => {
  bits[at >>> 3] = (bits[at >>> 3] as number) | (1 << (at & 7))
}

export const clearBit = (bits: Uint8Array, at: number): void => {
  bits[at >>> 3] = (bits[at >>> 3] as number) & ~(1 << (at & 7))
}
