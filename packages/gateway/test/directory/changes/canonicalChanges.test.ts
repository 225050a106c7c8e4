/** The text of a batch, by which a repeated reference is recognized. */

import type { UnitChange } from "@postcode/core/Changes"
import { canonicalChanges } from "@postcode/gateway/directory/changes/StoredChanges"
import { describe, expect, it } from "vitest"

const text = (change: unknown): string => canonicalChanges([change as UnitChange])

const postcode = "LA-12-A03-BG-07"
const set = { change: "set", postcode, attributes: { building_type: "hut", building_owner: null } }

describe("the canonical text of changes", () => {
  it("contains only the fields and attributes that a change has, so that new ones do not change it", () => {
    expect(text(set)).toBe(
      '[[["attributes",[["building_owner",null],["building_type","hut"]]],["change","set"],["postcode","LA-12-A03-BG-07"]]]'
    )
    expect(text({ change: "retire", postcode })).toBe('[[["change","retire"],["postcode","LA-12-A03-BG-07"]]]')
  })

  it("is the same for any order of fields, and for fields that are undefined", () => {
    const attributes = { building_owner: null, locality_name: undefined, building_type: "hut" }
    expect(text({ attributes, postcode, replaced_by: undefined, change: "set" })).toBe(text(set))
    const coordinate = { lat: 6.5, lon: 3.5 }
    expect(text({ change: "move", postcode, coordinate: { lon: 3.5, lat: 6.5 } })).toBe(
      text({ coordinate, postcode, change: "move" })
    )
  })

  it("differs for any other value, and for an attribute that is removed", () => {
    const others = [
      { ...set, change: "add" },
      { ...set, postcode: "LA-12-A03-BG-08" },
      { ...set, attributes: {} },
      { ...set, attributes: { building_type: "hut" } },
      { ...set, attributes: { building_type: null, building_owner: "hut" } },
      { ...set, coordinate: { lat: 6.5, lon: 3.5 } }
    ]
    expect(new Set([set, ...others].map(text)).size).toBe(others.length + 1)
  })
})
