/** The text of a batch, by which a repetition is recognised. */
import type { Postcode } from "@postcode/core/Postcode"
import { canonicalChanges } from "@postcode/core/StoredChanges"
import { attributeNames, type UnitChange } from "@postcode/core/UnitChange"
import { afterEach, expect, it } from "vitest"

const postcode = "LA-12-A03-BG-07" as Postcode
const coordinate = { lat: 6.6, lon: 3.35 }

const changes: ReadonlyArray<UnitChange> = [
  { change: "add", postcode, coordinate, attributes: { recent_address: "1 Marina", delivery_point: false } },
  { change: "set", postcode, attributes: { locality_name: null } },
  { change: "retire", postcode }
]

const names = attributeNames as unknown as Array<string>
afterEach(() => {
  if (names[0] === "floors") names.shift()
})

it("contains only what a change has, so a later version with another attribute recognises the batch", () => {
  const before = canonicalChanges(changes)
  names.unshift("floors")
  expect(canonicalChanges(changes)).toBe(before)
  expect(JSON.parse(before)).toEqual(changes)
})

it("is the same for any order of fields, and an absent value is not null", () => {
  const reordered = [
    { attributes: { delivery_point: false, recent_address: "1 Marina" }, postcode, change: "add", coordinate },
    { postcode, attributes: { locality_name: null, building_type: undefined }, change: "set" },
    { replaced_by: undefined, postcode, change: "retire" }
  ] as unknown as ReadonlyArray<UnitChange>
  expect(canonicalChanges(reordered)).toBe(canonicalChanges(changes))
  const unset = [changes[0], { change: "set", postcode, attributes: {} }, changes[2]] as ReadonlyArray<UnitChange>
  expect(canonicalChanges(unset)).not.toBe(canonicalChanges(changes))
})
