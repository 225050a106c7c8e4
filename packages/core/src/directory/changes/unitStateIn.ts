import type { UnitAttributes } from "../../levels/UnitAttributes.ts"
import type { Postcode } from "../../postcode/Postcode.ts"
import type { Directory } from "../Directory.ts"
import type { UnitState } from "./UnitChange.ts"

/** The state of a unit in a directory, with its attributes from elsewhere; undefined if the directory lacks it. */
export const unitStateIn = (
  directory: Directory,
  postcode: Postcode,
  attributes: UnitAttributes
): UnitState | undefined => {
  const id = directory.find(postcode)
  if (id < 0) return undefined
  const replaced_by = directory.replacedBy(postcode)
  return {
    postcode,
    coordinate: directory.coordinateAt(id),
    active: directory.isActive(id),
    ...(replaced_by !== undefined && { replaced_by }),
    attributes
  }
}
