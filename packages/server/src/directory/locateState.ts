/** Where the states of Nigeria are, for the checks of directories whose file of places does not say it. */
import { foldName, type PlaceLocation } from "@postcode/core/Csv"
import type { Place } from "@postcode/core/Directory"
import { nigeriaStates } from "@postcode/demo"

/** Units are up to half a degree beyond the points of a state's LGAs: all but 5 of 196,784 real ones are within this. */
const margin = 0.6

/** The box around a state by its code and name; undefined if it is none of Nigeria's. */
export const locateState = ({ code, name }: Place): PlaceLocation | undefined => {
  const state = code.length === 2 ? nigeriaStates().find((known) => known.code === code) : undefined
  if (state === undefined || !namesOf(state.name).includes(foldName(name))) return undefined
  const lats = state.lgas.map(({ lat }) => lat)
  const lons = state.lgas.map(({ lon }) => lon)
  return {
    south: Math.min(...lats) - margin,
    west: Math.min(...lons) - margin,
    north: Math.max(...lats) + margin,
    east: Math.max(...lons) + margin
  }
}

const namesOf = (name: string): ReadonlyArray<string> => [name, `${name} State`].map(foldName)
