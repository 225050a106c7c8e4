import { assert, describe, it } from "@effect/vitest"
import {
  type AccessLevel,
  type Attribute,
  accessLevels,
  cap,
  minimumLevel,
  shownLevel,
  shows
} from "../../src/levels/AccessLevel.ts"
import { attributeEntry, attributeNames } from "../../src/levels/UnitAttributes.ts"
import { vectorRows } from "../Vectors.ts"

const [header, ...rows] = vectorRows("levels.csv")

describe("AccessLevel", () => {
  it.each(rows)("vectors/levels.csv: level %s, %s: %s", (level, attribute, shown) => {
    assert.strictEqual(String(shows(Number(level) as AccessLevel, attribute as Attribute)), shown)
  })

  it("the vectors hold each attribute at each level once", () => {
    assert.deepStrictEqual(header, ["level", "attribute", "shown"])
    const pairs = accessLevels.flatMap((level) => Object.keys(minimumLevel).map((name) => `${level} ${name}`))
    assert.sameMembers(
      rows.map(([level, attribute]) => `${level} ${attribute}`),
      pairs
    )
  })

  it("the attributes in one object of an answer have one level", () => {
    for (const name of attributeNames) {
      const { level, path } = attributeEntry(name)
      assert.strictEqual(level, minimumLevel[path[0] as Attribute], name)
    }
  })

  it("levels are cumulative: each level shows the attributes of all lower levels", () => {
    for (const attribute of Object.keys(minimumLevel) as Array<Attribute>) {
      const shown = accessLevels.map((level) => shows(level, attribute))
      assert.deepStrictEqual(shown, [...shown].sort())
      assert.isTrue(shown.at(-1), "level 5 shows everything")
    }
  })

  it.each([
    [{ valid: false }, 1],
    [{ valid: true }, 1],
    [{ valid: true, administrative_address: {}, recent_house_address: {} }, 1],
    [{ valid: true, administrative_address: {}, recent_house_address: {}, other_building_info: {} }, 1],
    [{ valid: true, administrative_address: { zone: "South West" }, recent_house_address: {} }, 2],
    [{ valid: true, administrative_address: {}, recent_house_address: { recent: "1 Creek Lane" } }, 2],
    [{ valid: true, administrative_address: {}, building_use_status: "mixed", other_building_info: {} }, 3],
    [{ valid: true, administrative_address: {}, other_building_info: { delivery_point: false } }, 4],
    [{ valid: true, administrative_address: {}, other_building_info: {}, point_geometry: { lat: 0, lon: 0 } }, 5]
  ] as const)(
    "the level of an answer is that of its highest attribute, and an empty object is none: %j",
    (answer, level) => {
      assert.strictEqual(shownLevel(answer), level)
    }
  )

  it("a level is capped at another", () => {
    for (const level of accessLevels) {
      for (const at of accessLevels) assert.strictEqual(cap(level, at), Math.min(level, at))
    }
  })
})
