/**
 * The names of places by segment value, with their completion labels. Names are folded in advance, so that completion
 * only compares. The table depends on places only, so all versions of a directory share it.
 */

import type { Postcode } from "../../postcode/Postcode.ts"
import { lastLga, readCanonical } from "../../postcode/SegmentReader.ts"
import { type Depth, segmentValue, segmentValues } from "../../postcode/SegmentValue.ts"
import { foldName } from "../text/foldText.ts"
import type { NamedPlace } from "./NamedPlace.ts"
import type { PlaceNames as NamesOfPlace, Place } from "./Place.ts"
import { PlaceNames } from "./PlaceNames.ts"

/** The places of one level and one parent, by the value of their segment. */
export type PlacesByValue = ReadonlyArray<NamedPlace | undefined>

export class NameTable {
  readonly states: PlacesByValue
  /** By the value of the state segment. */
  readonly lgas: ReadonlyArray<PlacesByValue | undefined>
  /** The length of the longest folded name. */
  readonly longest: number
  /** The same places by the words of their names. */
  readonly placeNames: PlaceNames

  constructor(places: ReadonlyArray<Place>) {
    const states = emptyRow<NamedPlace>(segmentValues.state)
    const lgas = emptyRow<Array<NamedPlace | undefined>>(segmentValues.state)
    for (const place of places) {
      if (place.code.length === 2) states[segmentValue(0, place.code)] = namedPlace(place, undefined)
    }
    for (const place of places) {
      if (place.code.length === 2) continue
      const state = segmentValue(0, place.code.slice(0, 2))
      const inState = lgas[state] ?? emptyRow<NamedPlace>(segmentValues.lga)
      const lga = namedPlace(place, states[state]?.place.name)
      inState[lga.lga] = lga
      lgas[state] = inState
    }
    this.states = states
    this.lgas = lgas
    const all = [...this.all()]
    this.longest = all.reduce((longest, { folded }) => Math.max(longest, folded.length), 0)
    this.placeNames = new PlaceNames(all)
  }

  /** Each state before its LGAs. */
  private *all(): Generator<NamedPlace> {
    for (const [value, state] of this.states.entries()) {
      if (state !== undefined) yield state
      for (const lga of this.lgas[value] ?? []) if (lga !== undefined) yield lga
    }
  }
}

const namedPlace = (place: Place, within: string | undefined): NamedPlace => {
  const { code, name } = place
  const folded = foldName(name)
  const isState = code.length === 2
  const suggestion = { code: isState ? code : code.slice(3), label: name, prefix: code }
  return {
    place,
    suggestion: Object.freeze(within === undefined ? suggestion : { ...suggestion, within }),
    state: segmentValue(0, code.slice(0, 2)),
    lga: isState ? -1 : segmentValue(1, code.slice(3)),
    folded,
    joined: folded.replaceAll(" ", "")
  }
}

/** The places of one depth; below states, of one state. */
export const placesOf = (table: NameTable, depth: Depth, state: number): PlacesByValue =>
  depth === 0 ? table.states : depth === 1 ? (table.lgas[state] ?? noPlaces) : noPlaces

/** The names of a postcode's state and local government area. The unit need not exist. */
export const namesOf = (table: NameTable, postcode: Postcode): NamesOfPlace => {
  if (!readCanonical(postcode)) return {}
  const stateValue = Math.trunc(lastLga() / segmentValues.lga)
  const state = table.states[stateValue]?.place
  const lga = table.lgas[stateValue]?.[lastLga() % segmentValues.lga]?.place
  const names: { -readonly [Key in keyof NamesOfPlace]: NamesOfPlace[Key] } = {}
  if (state !== undefined) names.state_name = state.name
  if (lga !== undefined) names.lga_name = lga.name
  if (state?.zone !== undefined) names.zone = state.zone
  return names
}

const emptyRow = <T>(length: number): Array<T | undefined> => new Array(length).fill(undefined)

const noPlaces: PlacesByValue = []
