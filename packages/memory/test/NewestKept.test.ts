import { assert, describe, it } from "@effect/vitest"
import { KeptByOwner } from "../src/KeptByOwner.ts"
import { NewestKept } from "../src/NewestKept.ts"

describe("NewestKept", () => {
  it("keeps each item at its index, whatever was forgotten in front of it", () => {
    const kept = new NewestKept<number>()
    for (let i = 0; i < 5_000; i++) {
      assert.strictEqual(kept.push(10 * i), i)
      if (i % 7 !== 0) assert.strictEqual(kept.forgetOldest(), 10 * (kept.first - 1))
      assert.strictEqual(kept.at(kept.first - 1), undefined)
      assert.strictEqual(kept.at(kept.first), 10 * kept.first)
      assert.strictEqual(kept.at(i), 10 * i)
      assert.strictEqual(kept.length, i + 1)
      assert.strictEqual(kept.size, kept.length - kept.first)
    }
  })

  it("forgets nothing where nothing is kept, and goes on", () => {
    const kept = new NewestKept<string>()
    assert.isUndefined(kept.forgetOldest())
    kept.push("a")
    assert.deepStrictEqual([kept.forgetOldest(), kept.forgetOldest()], ["a", undefined])
    assert.strictEqual(kept.push("b"), 1)
    assert.deepStrictEqual([kept.first, kept.length, kept.at(0), kept.at(1)], [1, 2, undefined, "b"])
  })
})

describe("KeptByOwner", () => {
  it("keeps the newest of all owners together, and each owner's in their order", () => {
    const kept = new KeptByOwner<{ readonly owner?: string; readonly number: number }>(100, ({ owner }) => owner)
    const ownerOf = (number: number) => [undefined, "a", "b", "b", "c"][number % 5]
    for (let number = 0; number < 5_000; number++) {
      const owner = ownerOf(number)
      kept.add({ number, ...(owner !== undefined && { owner }) })
      if (number % 500 !== 499) continue
      const expected = Array.from({ length: 100 }, (_, i) => number - 99 + i)
      assert.deepStrictEqual(numbersIn(kept.all), expected)
      for (const one of ["a", "b", "c", "nobody"]) {
        assert.deepStrictEqual(
          numbersIn(kept.of(one)),
          expected.filter((number) => ownerOf(number) === one)
        )
      }
    }
  })
})

const numbersIn = (list: Pick<NewestKept<{ readonly number: number }>, "at" | "first" | "length">) =>
  Array.from({ length: list.length - list.first }, (_, i) => list.at(list.first + i)?.number)
