/** States and LGAs by name: every one of them, with the forms that people write. */
import type { Directory } from "@postcode/core/Directory"
import { compared, type Figure } from "../../Bench.ts"
import { groupBy } from "../groupBy.ts"
import { answerTo } from "./search.ts"

export const gradePlaces = (directory: Directory, of: string): ReadonlyArray<Figure> => {
  const states = directory.places.filter(({ code }) => code.length === 2)
  const lgas = directory.places.filter(({ code }) => code.length === 5)
  const stateOf = (code: string): string => states.find((state) => code.startsWith(state.code))?.name ?? ""
  const named = groupBy(directory.places, ({ name }) => name.toLowerCase())
  const figure = (what: string, texts: ReadonlyArray<readonly [string, ReadonlyArray<string>]>): Figure => {
    const right = texts.filter(([text, codes]) => isPlaceRight(directory, text, codes))
    return compared("more", {
      bench: "address",
      figure: `${of}: right, of ${texts.length} ${what}`,
      value: (100 * right.length) / texts.length,
      unit: "%",
      peer: null,
      peer_value: null
    })
  }
  return [
    figure(
      "states",
      states.map(({ code, name }) => [`${name} State`, [code]])
    ),
    figure(
      "LGAs with their state",
      lgas.map(({ code, name }) => [`${name}, ${stateOf(code)} State`, [code]])
    ),
    figure(
      "bare names of LGAs",
      lgas.map(({ name }) => [name, (named.get(name.toLowerCase()) ?? []).map(({ code }) => code)])
    )
  ]
}

/** A name of several places is right if the answer is one of them or holds all, or is a question with all of them. */
const isPlaceRight = (directory: Directory, text: string, codes: ReadonlyArray<string>): boolean => {
  const { code } = answerTo(directory, text)
  return code === null ? codes.length > 1 : codes.includes(code) || codes.every((place) => place.startsWith(code))
}
