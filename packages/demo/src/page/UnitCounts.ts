/** The numbers of active units of states and local government areas, for the map of the demonstration page. */
import type { Directory } from "@postcode/core/Directory"
import { nigeriaStates } from "../NigeriaPlaces.ts"

/** A state or local government area. Coordinates are WGS 84 degrees. */
export interface CountedPlace {
  /** `LA`, or `LA-11`. */
  readonly code: string
  readonly name: string
  /** Number of active units. */
  readonly units: number
  readonly lat: number
  readonly lon: number
}

/** A state, placed at the mean of its local government areas. */
export interface CountedState extends CountedPlace {
  readonly lgas: ReadonlyArray<CountedPlace>
}

/** In code order. The coordinates are representative points of the demonstration's places. */
export const countUnits = (directory: Directory): ReadonlyArray<CountedState> => {
  const counts = countsByCode(directory)
  const countOf = (code: string): number => counts.get(code) ?? 0
  return nigeriaStates().map(({ code, lgas, name }) => {
    const counted = lgas.map((lga): CountedPlace => {
      const whole = `${code}-${lga.code}`
      return { code: whole, name: lga.name, units: countOf(whole), lat: lga.lat, lon: lga.lon }
    })
    const mean = (of: "lat" | "lon") => round(counted.reduce((sum, lga) => sum + lga[of], 0) / counted.length)
    return { code, name, units: countOf(code), lat: mean("lat"), lon: mean("lon"), lgas: counted }
  })
}

/** Counted by the code of each unit, which takes no part of the directory for granted. */
const countsByCode = (directory: Directory): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (let id = 0; id < directory.size; id++) {
    if (!directory.isActive(id)) continue
    const code = directory.postcodeAt(id)
    for (const prefix of [code.slice(0, 2), code.slice(0, 5)]) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  return counts
}

const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4
