/**
 * What the operator token, peppers and signing keys have to be. Nobody can measure randomness; this refuses what was typed
 * rather than drawn, and takes what a random generator makes.
 */

const shortest = 32
const longest = 512

/** For messages, after "expected". */
export const strongSecretForm =
  `${shortest} to ${longest} printable ASCII characters without spaces, no text that repeats itself and no few characters ` +
  "over and over; make a secret with: openssl rand -hex 32"

/**
 * Whether a text may be a secret: 32 to 512 printable ASCII characters without spaces, of which 8 differ at least, and no
 * text that stands twice or more in a row. Of random texts of 32 hexadecimal digits, one in 20 million is refused.
 */
export const isStrongSecret = (text: string): boolean =>
  printable.test(text) && new Set(text).size >= fewestDifferent && !isRepetition(text)

const printable = new RegExp(`^[\\x21-\\x7e]{${shortest},${longest}}$`)
const fewestDifferent = 8

/** Whether a text is a shorter one that stands there twice or more, the last time perhaps in part. */
const isRepetition = (text: string): boolean => {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) return true
  }
  return false
}
