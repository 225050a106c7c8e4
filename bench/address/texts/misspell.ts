/** Typing errors: a wrong, missing, doubled or swapped letter, in words that are long enough to be recognized. */
import type { Lot } from "./Lot.ts"
import { fullWords, surfaceWords } from "./Words.ts"

/** The text with so many typing errors, in different words if there are enough; undefined if it has no such word. */
export const misspelled = (text: string, errors: number, lot: Lot): string | undefined => {
  // Words at odd places, what is between them at even ones.
  const pieces = text.split(/(\p{L}{4,})/u)
  const words = lot.shuffled([...pieces.keys()].filter((at) => at % 2 === 1 && isSpelledOut(pieces[at] as string)))
  if (words.length === 0) return undefined
  for (let error = 0; error < errors; error++) {
    const at = words[error % words.length] as number
    pieces[at] = mistyped(pieces[at] as string, lot)
  }
  return pieces.join("")
}

/** Abbreviations are too short to be recognized when mistyped. */
const isSpelledOut = (word: string): boolean => {
  const [spelled] = surfaceWords(word)
  return spelled !== undefined && fullWords(spelled)[0] === spelled
}

const mistyped = (word: string, lot: Lot): string => {
  for (;;) {
    const at = lot.below(word.length)
    const letter = word[at] as string
    const [before, after] = [word.slice(0, at), word.slice(at + 1)]
    const next = after[0]
    const result = lot.one([
      before + lot.one([...(neighbours[letter.toLowerCase()] ?? "e")]) + after,
      before + after,
      before + letter + letter.toLowerCase() + after,
      next === undefined ? before + after : before + next + letter + after.slice(1)
    ])
    if (result.toLowerCase() !== word.toLowerCase()) return result
  }
}

/** The letters beside each one on a keyboard. */
const neighbours: Readonly<Record<string, string>> = Object.fromEntries(
  ["qwertyuiop", "asdfghjkl", "zxcvbnm"].flatMap((row, depth, rows) =>
    [...row].map((letter, at) => [
      letter,
      [row[at - 1], row[at + 1], rows[depth + 1]?.[at], rows[depth - 1]?.[at]]
        .filter((near) => near !== undefined)
        .join("")
    ])
  )
)
