/**
 * The names of places by segment value, with their completion labels. Names are folded in advance, so that completion
 * only compares. The table depends on places only, so all versions of a directory share it.
 */

import type { Postcode } from "../postcode/Postcode.ts"
import { lastLga, readCanonical } from "../postcode/SegmentReader.ts"
import { type Depth, segmentText, segmentValue, segmentValues } from "../postcode/SegmentValue.ts"
import type { Place, PlaceNames } from "./Place.ts"

/** A segment's code and its label: the name if it has one, else the code. */
export interface LabelledCode {
  readonly code: string
  readonly label: string
}

export interface NamedPlace {
  readonly place: Place
  readonly labelled: LabelledCode
  /** The name after `foldName`. */
  readonly folded: string
  /** The same without spaces. */
  readonly joined: string
}

/** The places of one level and one parent, by the value of their segment. */
export type PlacesByValue = ReadonlyArray<NamedPlace | undefined>

export interface NameTable {
  readonly states: PlacesByValue
  /** By the value of the state segment. */
  readonly lgas: ReadonlyArray<PlacesByValue | undefined>
  /** The length of the longest folded name. */
  readonly longest: number
}

export const makeNameTable = (places: ReadonlyArray<Place>): NameTable => {
  const states = emptyRow<NamedPlace>(segmentValues.state)
  const lgas = emptyRow<Array<NamedPlace | undefined>>(segmentValues.state)
  let longest = 0
  for (const place of places) {
    const state = segmentValue(0, place.code.slice(0, 2))
    const code = place.code.slice(3)
    const folded = foldName(place.name)
    const labelled = Object.freeze({ code: code === "" ? place.code : code, label: place.name })
    const named = { place, labelled, folded, joined: folded.replaceAll(" ", "") }
    longest = Math.max(longest, folded.length)
    if (code === "") states[state] = named
    else {
      const inState = lgas[state] ?? emptyRow<NamedPlace>(segmentValues.lga)
      inState[segmentValue(1, code)] = named
      lgas[state] = inState
    }
  }
  return { states, lgas, longest }
}

/** The places of one depth; below states, of one state. */
export const placesOf = (table: NameTable, depth: Depth, state: number): PlacesByValue =>
  depth === 0 ? table.states : depth === 1 ? (table.lgas[state] ?? noPlaces) : noPlaces

/** A segment without a name. Cached: a country has few distinct segments. */
export const unlabelled = (depth: Depth, value: number): LabelledCode => {
  const row = unlabelledOf[depth]
  const made = row[value]
  if (made !== undefined) return made
  const code = segmentText(depth, value)
  const labelled = Object.freeze({ code, label: code })
  row[value] = labelled
  return labelled
}

/** The names of a postcode's state and local government area. The unit need not exist. */
export const namesOf = (table: NameTable, postcode: Postcode): PlaceNames => {
  if (!readCanonical(postcode)) return {}
  const stateValue = Math.trunc(lastLga() / segmentValues.lga)
  const state = table.states[stateValue]?.place
  const lga = table.lgas[stateValue]?.[lastLga() % segmentValues.lga]?.place
  const names: { -readonly [Key in keyof PlaceNames]: PlaceNames[Key] } = {}
  if (state !== undefined) names.state_name = state.name
  if (lga !== undefined) names.lga_name = lga.name
  if (state?.zone !== undefined) names.zone = state.zone
  return names
}

/**
 * A name in the form that is compared: lower case, without diacritics and apostrophes, hyphens, slashes and other
 * separators as one space. `Ọbáfẹ́mi-Owódé` → `obafemi owode`, `Jama'are` → `jamaare`.
 */
export const foldName = (name: string): string =>
  // Most typed text is a few plain letters.
  /^[a-z0-9]+( [a-z0-9]+)*$/i.test(name)
    ? name.toLowerCase()
    : name
        .normalize("NFD")
        .toLowerCase()
        .replace(/[ɓɗƙƴ]/g, (hooked) => plainLetters[hooked] as string)
        .replace(/[\p{M}'‘’ʻʼ`´ʹ′]/gu, "")
        .replace(/[\s\p{Pd}/_.,()]+/gu, " ")
        .trim()

/** The hooked letters of Hausa, which have no Unicode decomposition. */
const plainLetters: Readonly<Record<string, string>> = { ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y" }

const emptyRow = <T>(length: number): Array<T | undefined> => new Array(length).fill(undefined)

const noPlaces: PlacesByValue = []

const letterPairs = emptyRow<LabelledCode>(segmentValues.state)
const digitPairs = emptyRow<LabelledCode>(segmentValues.lga)
const districts = emptyRow<LabelledCode>(segmentValues.district)
const unlabelledOf = [letterPairs, digitPairs, districts, letterPairs, digitPairs] as const
