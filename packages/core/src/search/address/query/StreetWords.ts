/** Words for streets. A place name before one of them is the name of a street: Ikorodu Road leads through several areas. */

import { streetWords } from "../../../directory/places/PlaceAliases.ts"
import { abbreviations } from "../../../directory/text/Abbreviations.ts"
import { errorsBetween } from "../../../directory/text/errorsBetween.ts"
import { isNumeral } from "../../../directory/text/Words.ts"
import { isShortened } from "./isShortened.ts"

/** In the form of the index: `rd` is `road`. */
export const indexedStreetWords: ReadonlySet<string> = new Set(
  [...streetWords].map((word) => abbreviations.get(word)?.[0] ?? word)
)

/** Whether a word in the form of the index is one for a street. */
export const isStreetWord = (word: string): boolean => indexedStreetWords.has(word)

/** The word for a street that another word is nearly, `avene` or `cresc`; undefined if it is none. */
export const meantStreetWord = (written: string): string | undefined => {
  if (written.length < minLength || isNumeral(written)) return undefined
  for (const word of streetWords) {
    if (word.length <= minLength) continue
    const errors = written.length < minTwoErrors ? 1 : 2
    const isMeant =
      isShortened(written, word) || (written.length > minLength && errorsBetween(written, word, errors) <= errors)
    if (isMeant) return abbreviations.get(word)?.[0] ?? word
  }
  return undefined
}

const minLength = 3
const minTwoErrors = 6
