/**
 * Names of localities. In the larger cities some are well known, the others are composed of parts that are common in
 * their region, or are those of quarters that many cities have.
 */
import { child, mix, pick } from "../Hash.ts"
import { nigeriaPlaces } from "../NigeriaPlaces.ts"
import { vocabularyOf } from "./RegionNames.ts"
import { type KnownLocality, knownLocalities } from "./WellKnownPlaces.ts"

/** What the name of a locality depends on. */
export interface LocalitySite {
  /** `LA` */
  readonly state: string
  /** `LA-11` */
  readonly lga: string
  /** Position of the district in its LGA, which is the same at every size. */
  readonly letter: number
  readonly index: number
  /** The hash of the district. */
  readonly hash: number
  readonly urban: boolean
}

/** The well-known locality of a district, if it has one. It fills the district. */
export const knownLocality = ({ index, letter, lga }: LocalitySite): KnownLocality | undefined =>
  index < districtsWithKnown ? centralLocalities(lga)[letter * districtsWithKnown + index] : undefined

/** The first districts of each letter. An LGA with seven districts or more has three at each of its letters. */
const districtsWithKnown = 3

/** The name of a district without a well-known locality. In a city it is often a part of one of those. */
export const districtLocality = (site: LocalitySite): string => {
  const { hash, lga, state, urban } = site
  const known = knownLocalities(lga)
  const luck = pick(child(hash, 11), 100)
  if (known.length > 0 && luck < 40) {
    const { name } = known[pick(child(hash, 12), known.length)] ?? { name: "" }
    return luck < 20 ? name : extension(name, child(hash, 13))
  }
  if (urban && luck < 55) return choose(vocabularyOf(state).quarters, child(hash, 12))
  return composedName(state, hash, urban)
}

/** The name of one of the localities of a district: mostly the district's, or an extension of it, or its own. */
export const localityInDistrict = (site: LocalitySite, name: string, locality: number): string => {
  const hash = child(site.hash, 16 + locality)
  const luck = pick(hash, 100)
  if (luck < 50) return name
  return luck < 70 ? extension(name, mix(hash)) : composedName(site.state, hash, site.urban)
}

/** `Oke-Odo`, `Tudun Wada`, `Umuoji Village`. */
const composedName = (state: string, hash: number, urban: boolean): string => {
  const { ends, fronts } = vocabularyOf(state)
  const parts = child(hash, 8)
  const front = choose(fronts, parts)
  const end = choose(ends, mix(parts))
  const name = /[ -]$/.test(front) ? front + end : front + end.toLowerCase()
  return choose(urban ? cityNames : villageNames, child(hash, 9)).replace("*", name)
}

const extension = (name: string, hash: number): string => choose(extensions, hash).replace("*", name)

const choose = (parts: ReadonlyArray<string>, hash: number): string => parts[pick(hash, parts.length)] ?? ""

/** The asterisk is replaced by the name. Repeated entries are more frequent. */
const extensions = ["* Extension", "* Phase 1", "* Phase 2", "* Layout", "New *", "Old *", "Upper *"]
const cityNames = ["*", "*", "*", "*", "*", "* Layout", "* Housing Estate", "* Estate", "* GRA"]
const villageNames = ["*", "*", "*", "*", "*", "*", "* Village", "* Settlement", "New *"]

let towns: ReadonlyMap<string, string> | undefined

/** The well-known localities of an LGA; where none are listed, the town after which the LGA is named, if any. */
const centralLocalities = (lga: string): ReadonlyArray<KnownLocality> => {
  const known = knownLocalities(lga)
  if (known.length > 0) return known
  towns ??= new Map(nigeriaPlaces().flatMap(({ code, name }) => (isTown(name) ? [[code, name]] : [])))
  const name = towns.get(lga)
  return name === undefined ? [] : [{ name, streets: [] }]
}

/** Whether an LGA's name is that of one town, not a part of one or several. */
const isTown = (name: string): boolean => !/\/| (North|South|East|West|Central|Municipal)\b/.test(name)
