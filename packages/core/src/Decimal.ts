/** Numbers in decimal notation with an optional exponent, as in queries and commands. */

/**
 * The number that a text represents; NaN if it is not one. Stricter than `Number`, which accepts the empty string,
 * `0x10` and `Infinity`. Of any length, since programs write `1e-7` as `0.0000001`; the pattern matches in linear time.
 *
 * ```ts
 * parseDecimal("6.59838") // 6.59838
 * parseDecimal("0x10") // NaN
 * ```
 */
export const parseDecimal = (text: string): number =>
  /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
