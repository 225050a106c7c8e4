/** The directory with the reserved postcodes, for test keys only. */
import type { Directory } from "@postcode/core/Directory"
import type { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import type { Units } from "@postcode/core/directory/Units"
import { extendDirectory } from "@postcode/core/extendDirectory"
import { Effect } from "effect"
import { attributesOf, existingUnits, isReserved, sandboxPlaces } from "./SandboxUnits.ts"

/** Requests with test keys get the reserved postcodes; all others get the directory as it is. */
export const withReservedUnits = (current: CurrentDirectory["Service"]): CurrentDirectory["Service"] => {
  const { currentSince } = current
  let last: { readonly base: Directory; readonly extended: Directory } | undefined
  return {
    get: (environment) => {
      const base = current.get(environment)
      if (environment !== "test") return base
      if (last?.base !== base) last = { base, extended: extend(base) }
      return last.extended
    },
    ...(currentSince && {
      currentSince: (directory) => currentSince(directory === last?.extended ? last.base : directory)
    })
  }
}

const extend = extendDirectory(
  existingUnits.map(({ active = true, ...unit }) => ({ ...unit, active })),
  sandboxPlaces
)

/** The attributes of the reserved postcodes, and of all others in the store. */
export const withReservedAttributes = (units: Units["Service"]): Units["Service"] => ({
  attributes: (postcodes, directory) => {
    if (!postcodes.some(isReserved)) return units.attributes(postcodes, directory)
    const others = postcodes.filter((postcode) => !isReserved(postcode))
    return Effect.map(others.length === 0 ? Effect.succeed([]) : units.attributes(others, directory), (found) => {
      const rest = found.values()
      return postcodes.map((postcode) => (isReserved(postcode) ? attributesOf(postcode) : (rest.next().value ?? {})))
    })
  }
})
