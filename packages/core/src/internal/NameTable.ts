/**
 * The names of places, by code for any postcode, and by tree node for listings and completion. Names are folded here,
 * once, so that completion compares them as they are.
 */
import { lgaValueAt, segmentValues, stateValueAt } from "../PackedCode.ts"
import type { Place, PlaceNames } from "../Place.ts"
import type { Postcode } from "../Postcode.ts"
import type { SegmentTree, TreeLevel } from "./SegmentTree.ts"
import { segmentValue } from "./SegmentValue.ts"

/** The names of one level, by tree node. A node without a name has `undefined` in each list. */
export interface LevelNames {
  readonly names: ReadonlyArray<string | undefined>
  /** As `foldName` makes them. */
  readonly folded: ReadonlyArray<string | undefined>
  /** The same without the spaces. */
  readonly joined: ReadonlyArray<string | undefined>
}

export interface NameTable {
  /** By the value of the state segment. */
  readonly states: ReadonlyMap<number, Place>
  /** By the values of state and lga segment: `state · 100 + lga`. */
  readonly lgas: ReadonlyMap<number, Place>
  /** States and lgas by tree node. */
  readonly levels: ReadonlyArray<LevelNames>
  /** The length of the longest folded name. */
  readonly longest: number
}

export const makeNameTable = (places: ReadonlyArray<Place>, tree: SegmentTree): NameTable => {
  const states = new Map<number, Place>()
  const lgas = new Map<number, Place>()
  for (const place of places) {
    const state = segmentValue(0, place.code.slice(0, 2))
    if (place.code.length === 2) states.set(state, place)
    else lgas.set(state * segmentValues.lga + segmentValue(1, place.code.slice(3)), place)
  }
  const [stateLevel, lgaLevel] = tree.levels
  const levels = [
    levelNames(Array.from(stateLevel.values, (state) => states.get(state)?.name)),
    levelNames(lgaKeys(stateLevel, lgaLevel).map((key) => lgas.get(key)?.name))
  ]
  const longest = levels.flatMap(({ folded }) => folded).reduce((most, name) => Math.max(most, name?.length ?? 0), 0)
  return { states, lgas, levels, longest }
}

/** What a postcode's state and local government area are called, whether or not the unit exists. */
export const namesOf = (table: NameTable, postcode: Postcode): PlaceNames => {
  const stateValue = stateValueAt(postcode)
  const state = table.states.get(stateValue)
  const lga = table.lgas.get(stateValue * segmentValues.lga + lgaValueAt(postcode))
  return {
    ...(state === undefined ? {} : { state_name: state.name }),
    ...(lga === undefined ? {} : { lga_name: lga.name }),
    ...(state?.zone === undefined ? {} : { zone: state.zone })
  }
}

/**
 * A name as it is compared: lower case, without diacritics and apostrophes, hyphens, slashes and other separators as
 * one space. `Ọbáfẹ́mi-Owódé` → `obafemi owode`, `Jama'are` → `jamaare`.
 */
export const foldName = (name: string): string =>
  // Most of what is typed is a few plain letters.
  /^[a-z0-9]+( [a-z0-9]+)*$/i.test(name)
    ? name.toLowerCase()
    : name
        .normalize("NFD")
        .toLowerCase()
        .replace(/[ɓɗƙƴ]/g, (hooked) => plainLetters[hooked] as string)
        .replace(/[\p{M}'‘’ʻʼ`´ʹ′]/gu, "")
        .replace(/[\s\p{Pd}/_.,()]+/gu, " ")
        .trim()

/** The hooked letters of Hausa, which Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = { ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y" }

const levelNames = (names: ReadonlyArray<string | undefined>): LevelNames => {
  const folded = names.map((name) => (name === undefined ? undefined : foldName(name)))
  return { names, folded, joined: folded.map((name) => name?.replaceAll(" ", "")) }
}

const lgaKeys = (states: TreeLevel, lgas: TreeLevel): ReadonlyArray<number> => {
  const keys: Array<number> = []
  for (let state = 0; state < states.values.length; state++) {
    for (let lga = states.starts[state] as number; lga < (states.starts[state + 1] as number); lga++) {
      keys.push((states.values[state] as number) * segmentValues.lga + (lgas.values[lga] as number))
    }
  }
  return keys
}
