/** Numbers as people and programs write them into a query or a command: decimal notation, an exponent at most. */

/**
 * The number that a text stands for; NaN if it stands for none. `Number` alone would take the empty string, `0x10` and
 * `Infinity`. The pattern has one way to read each text, so a long one costs no more than its length.
 *
 * ```ts
 * parseDecimal("6.59838") // 6.59838
 * parseDecimal("0x10") // NaN
 * ```
 */
export const parseDecimal = (text: string): number =>
  text.length <= longestDecimal && /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)
    ? Number(text)
    : Number.NaN

/** Longer than any number that someone means; what is longer is not even read. */
const longestDecimal = 40
