/** Counting and finding the bits of a word, which may be signed or not. */

/** How many bits are set. */
export const countBits = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The place of the lowest bit that is set, of those that one is. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)
