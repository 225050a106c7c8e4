import { assert, describe, it } from "@effect/vitest"
import { RecentlyUsed } from "../src/RecentlyUsed.ts"

describe("RecentlyUsed", () => {
  it("forgets the one that was not asked for longest, and no other", () => {
    const entries = new RecentlyUsed<number>(3)
    for (const [i, key] of ["a", "b", "c"].entries()) entries.set(key, i)
    entries.get("a")
    entries.set("d", 3)
    entries.set("c", 4)
    entries.set("e", 5)
    assert.deepStrictEqual(
      ["a", "b", "c", "d", "e"].map((key) => entries.get(key)),
      [undefined, undefined, 4, 3, 5]
    )
  })

  it("holds nothing once it is cleared", () => {
    const entries = new RecentlyUsed<number>(3)
    entries.set("a", 1)
    entries.clear()
    assert.isUndefined(entries.get("a"))
  })
})
