/** Typing errors that only the context explains: two in a word, three in a long one. */
import { errorsBetween } from "../../../directory/text/errorsBetween.ts"

const minLength = 5
const minLengthOfThree = 9

/** Whether one word is the other with at most so many errors. Numbers and short words are taken as they are. */
export const isMisspelled = (written: string, meant: string): boolean => {
  if (written === meant) return true
  if (written.length < minLength || meant.length < minLength || /\d/.test(written)) return false
  const most = Math.min(written.length, meant.length) >= minLengthOfThree ? 3 : 2
  return errorsBetween(written, meant, most) <= most
}
