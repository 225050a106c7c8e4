/** Shortened words: `prim`, `schl`, `cmty`. */

/** Whether one word is the other's first letters, or the other without vowels. */
export const isShortened = (written: string, word: string): boolean =>
  written[0] === word[0] && written.length < word.length && (word.startsWith(written) || isSkeleton(written, word))

/** Whether only vowels, and one of two equal letters, are left out. */
const isSkeleton = (written: string, word: string): boolean => {
  let at = 1
  for (let letter = 1; letter < word.length; letter++) {
    if (written[at] === word[letter]) at++
    else if (!vowels.includes(word[letter] as string) && word[letter] !== word[letter - 1]) return false
    // The end may be cut, too: `dspn`.
    if (at === written.length && at >= minCutSkeleton) return true
  }
  return at === written.length
}

const vowels = "aeiou"
const minCutSkeleton = 4

/** Whether one word consists of the other's first letter, its last and some between: `ctrl`, `cmty`. */
export const isContracted = (written: string, word: string): boolean => {
  if (written.length < minContracted || written[0] !== word[0] || written.at(-1) !== word.at(-1)) return false
  let at = 0
  for (let letter = 0; letter < word.length && at < written.length; letter++) if (written[at] === word[letter]) at++
  return at === written.length && written.length < word.length
}

const minContracted = 4
