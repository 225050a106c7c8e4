import { assert, describe, it } from "@effect/vitest"
import { type AccessLevel, type Attribute, accessLevels, cap, minimumLevel, shows } from "../src/AccessLevel.ts"
import { vectorRows } from "./Vectors.ts"

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
    assert.strictEqual(rows.length, 30)
  })

  it("levels are cumulative: what one shows, all above show", () => {
    for (const attribute of Object.keys(minimumLevel) as Array<Attribute>) {
      const shown = accessLevels.map((level) => shows(level, attribute))
      assert.deepStrictEqual(shown, [...shown].sort())
      assert.isTrue(shown.at(-1), "level 5 shows everything")
    }
  })

  it("a level is capped at another", () => {
    for (const level of accessLevels) {
      for (const at of accessLevels) assert.strictEqual(cap(level, at), Math.min(level, at))
    }
  })
})
