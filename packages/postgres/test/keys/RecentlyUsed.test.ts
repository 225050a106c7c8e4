import { assert, describe, it } from "@effect/vitest"
import { RecentlyUsed } from "../../src/keys/RecentlyUsed.ts"
import { randomNumbers } from "../RandomNumbers.ts"

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

  it("holds no more than it may, whatever was taken out, asked for or cleared in between", () => {
    const entries = new RecentlyUsed<number>(4)
    const expected: Array<string> = []
    const random = randomNumbers(7)
    for (let i = 0; i < 20_000; i++) {
      const key = `key ${random.below(9)}`
      const isKnown = expected.includes(key)
      if (i % 1_000 === 999) {
        entries.clear()
        expected.length = 0
      } else if (random.next() < 0.5) {
        assert.strictEqual(entries.get(key) !== undefined, isKnown)
        if (isKnown) expected.push(...expected.splice(expected.indexOf(key), 1))
      } else {
        entries.set(key, i)
        if (isKnown) expected.splice(expected.indexOf(key), 1)
        if (expected.push(key) > 4) expected.shift()
      }
    }
  })

  it("holds nothing once it is cleared", () => {
    const entries = new RecentlyUsed<number>(3)
    entries.set("a", 1)
    entries.clear()
    assert.isUndefined(entries.get("a"))
  })
})
