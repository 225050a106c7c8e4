/** Units of the map as choices of the picker. */
import type { Choice } from "../session/Search.ts"
import type { Code } from "../TypedCode.ts"
import type { NearUnit } from "./mountDiscover.ts"

/** The choice of a unit, as the session's answer has it. */
export const choiceOf = (unit: NearUnit): Choice => {
  const { address, lga_name, locality_name, point_geometry, postcode, state_name } = unit
  // An address may end with the names that follow it.
  const parts = [address ?? locality_name, lga_name, state_name].flatMap((text) => text?.split(", ") ?? [])
  const [lon, lat] = point_geometry?.coordinates ?? []
  return {
    code: postcode as Code,
    label: [...new Set(parts)].join(", "),
    source: "discover",
    ...(address && { address }),
    ...(lat !== undefined && lon !== undefined && { coordinate: { lat, lon } }),
    ...(lga_name && state_name && { names: { state: state_name, lga: lga_name } })
  }
}
