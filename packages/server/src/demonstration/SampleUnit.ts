/** Example units of the demonstration: active, with every attribute that a directory file must have. */
import type { Coordinate } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { attributeEntry, attributeNames } from "@postcode/core/UnitAttributes"
import type { OpenedDirectory } from "../directory/openDirectory.ts"

/** A unit and its location. */
export interface SampleUnit {
  readonly postcode: Postcode
  readonly coordinate: Coordinate
}

/** The first example unit at or after a text in code order: `LA-11` leads to Ikeja, where units are dense. */
export const sampleUnit = (
  directory: Directory,
  attributesOf: OpenedDirectory["attributesOf"],
  from: string
): SampleUnit => {
  const isComplete = (id: number) => {
    if (!directory.isActive(id)) return false
    const attributes = attributesOf(id, directory.postcodeAt(id))
    return requiredAttributes.every((name) => attributes[name] !== undefined)
  }
  let id = firstFrom(directory, from)
  while (id < directory.size - 1 && !isComplete(id)) id++
  return { postcode: directory.postcodeAt(id), coordinate: directory.coordinateAt(id) }
}

const requiredAttributes = attributeNames.filter((name) => attributeEntry(name).column === "required")

/** The index of the first unit at or after a text. */
const firstFrom = (directory: Directory, text: string): number => {
  let low = 0
  let high = directory.size - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (directory.postcodeAt(middle) < text) low = middle + 1
    else high = middle
  }
  return low
}
