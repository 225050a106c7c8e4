/**
 * Rules for the operator token, peppers and signing keys. Randomness cannot be measured; these rules reject typed text
 * and accept the output of a random generator.
 */

const shortest = 32
const longest = 512

/** For messages, after "expected". */
export const strongSecretForm =
  `${shortest} to ${longest} printable ASCII characters without spaces, not a repeated text or a few repeated characters; ` +
  "create a secret with: openssl rand -hex 32"

/**
 * Whether a text may be a secret: 32 to 512 printable ASCII characters without spaces, at least 8 of them distinct, and
 * not a repetition. One in 20 million random texts of 32 hexadecimal digits is rejected.
 */
export const isStrongSecret = (text: string): boolean =>
  printable.test(text) && new Set(text).size >= minDistinct && !isRepetition(text)

const printable = new RegExp(`^[\\x21-\\x7e]{${shortest},${longest}}$`)
const minDistinct = 8

/** Whether a text consists of a shorter text, repeated; the last repetition may be partial. */
const isRepetition = (text: string): boolean => {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) return true
  }
  return false
}
