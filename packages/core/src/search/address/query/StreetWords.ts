/** Words for streets. A place name before one of them is the name of a street: Ikorodu Road leads through several areas. */

import { streetWords } from "../../../directory/places/PlaceAliases.ts"
import { abbreviations } from "../../../directory/text/Abbreviations.ts"

/** In the form of the index: `rd` is `road`. */
export const indexedStreetWords: ReadonlySet<string> = new Set(
  [...streetWords].map((word) => abbreviations.get(word)?.[0] ?? word)
)

/** Whether a word in the form of the index is one for a street. */
export const isStreetWord = (word: string): boolean => indexedStreetWords.has(word)
