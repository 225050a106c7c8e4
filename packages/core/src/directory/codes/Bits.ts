/** Counts and finds bits of a signed or unsigned 32-bit word. */

/** The number of set bits. */
export const countBits = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The index of the lowest set bit; the word must not be 0. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)
