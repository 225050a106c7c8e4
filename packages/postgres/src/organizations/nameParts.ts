/**
 * The parts of names, whose index finds a text anywhere in a name: all texts of one, two and three characters in it.
 *
 * Not an index of `pg_trgm`: the extension needs a right that the service's role may not have, and it finds neither
 * shorter texts nor, in a database without a locale, letters outside of ASCII.
 */
import { searchableName } from "@postcode/gateway/organizations/Organization"

/** @example namePartsOf("Eko") // ["e", "k", "o", "ek", "ko", "eko"] */
export const namePartsOf = (name: string): ReadonlyArray<string> => {
  const characters = Array.from(searchableName(name))
  return [...new Set([1, 2, 3].flatMap((length) => textsOf(characters, length)))]
}

/** The parts that each name with the text has. */
export const partsToFind = (text: string): ReadonlyArray<string> => {
  const characters = Array.from(searchableName(text))
  return [...new Set(textsOf(characters, Math.min(characters.length, 3)))]
}

const textsOf = (characters: ReadonlyArray<string>, length: number): ReadonlyArray<string> =>
  characters.flatMap((_, start) =>
    start + length > characters.length ? [] : [characters.slice(start, start + length).join("")]
  )
