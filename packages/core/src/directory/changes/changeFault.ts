/** Faults of a change that do not depend on the directory. Changes are untrusted input. */

import {
  type AttributeName,
  attributeNames,
  expectedValue,
  isAttributeValue,
  unitAttributes
} from "../../levels/UnitAttributes.ts"
import { isCanonical, type Postcode, parse } from "../../postcode/Postcode.ts"
import { pack } from "../codes/PackedCode.ts"
import { successorFault } from "../codes/Successors.ts"
import { isCoordinate } from "../space/Coordinate.ts"
import { textFault } from "../text/textFault.ts"
import { changeKinds } from "./UnitChange.ts"

/** The fault of a change, such as `postcode: unit: expected 2 digits at position 13`; undefined if it is well formed. */
export const changeFault = (change: unknown): string | undefined => {
  if (!isRecord(change)) return `expected a change like { "change": "retire", "postcode": … }`
  const { active: isActive, attributes, change: kind, coordinate, postcode, replaced_by } = change
  if (typeof kind !== "string" || !kinds.has(kind)) return `change: expected one of ${changeKinds.join(", ")}`
  if (!isCanonical(postcode)) return postcodeFault("postcode", postcode)
  if (isActive !== undefined && typeof isActive !== "boolean") return "active: expected true or false"
  const isRetired = kind === "retire" || kind === "replace" || (kind === "add" && isActive === false)
  const hasSuccessor = kind === "replace" || (replaced_by !== undefined && kind !== "move")
  const fault = hasSuccessor ? replacedByFault(postcode, isRetired, replaced_by) : undefined
  if (fault !== undefined) return fault
  if ((kind === "add" || kind === "move") && !isPoint(coordinate)) {
    return "coordinate: expected a latitude from -90 to 90 and a longitude from -180 to 180"
  }
  return kind === "set" || (kind === "add" && attributes !== undefined)
    ? attributesFault(attributes, kind === "set")
    : undefined
}

const kinds: ReadonlySet<string> = new Set(changeKinds)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const postcodeFault = (name: string, postcode: unknown): string => {
  const parsed = parse(postcode as string)
  return parsed.ok ? `${name}: expected canonical format, like LA-12-A03-BG-07` : `${name}: ${parsed.error.message}`
}

const replacedByFault = (postcode: Postcode, isRetired: boolean, replaced_by: unknown): string | undefined =>
  isCanonical(replaced_by)
    ? successorFault(pack(postcode), !isRetired, pack(replaced_by))
    : postcodeFault("replaced_by", replaced_by)

const isPoint = (coordinate: unknown): boolean => {
  if (!isRecord(coordinate)) return false
  const { lat, lon } = coordinate
  return typeof lat === "number" && typeof lon === "number" && isCoordinate({ lat, lon })
}

const attributesFault = (attributes: unknown, isRemovable: boolean): string | undefined => {
  if (!isRecord(attributes)) return `attributes: expected an object with some of ${attributeNames.join(", ")}`
  for (const [name, value] of Object.entries(attributes)) {
    if (!isAttribute(name)) return `attributes.${name}: expected one of ${attributeNames.join(", ")}`
    if (value === undefined || (value === null && isRemovable)) continue
    const fault = valueFault(name, value)
    if (fault !== undefined) return `attributes.${name}: ${fault}${isRemovable ? ", or null to remove it" : ""}`
  }
  return undefined
}

const isAttribute = (name: string): name is AttributeName => Object.hasOwn(unitAttributes, name)

/** As in `units.csv`: an empty text is no value, and PostgreSQL stores no NUL character. */
const valueFault = (name: AttributeName, value: unknown): string | undefined => {
  if (unitAttributes[name].type !== "text") {
    return isAttributeValue(name, value) ? undefined : `expected ${expectedValue(name)}`
  }
  const isText = typeof value === "string" && value !== "" && !isUnstorable(value)
  if (!isText) return "expected text without NUL characters"
  const fault = textFault(value)
  if (fault !== undefined) return fault
  return value.length <= maxAttributeLength ? undefined : `expected at most ${maxAttributeLength} characters`
}

/** The second pattern knows pairs of surrogates, and is several times as slow. */
const isUnstorable = (text: string): boolean => /[\0\ud800-\udfff]/.test(text) && /\0|\p{Surrogate}/u.test(text)

const maxAttributeLength = 1_000
