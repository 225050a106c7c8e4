import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import type { Page } from "@postcode/gateway/Page"
import { Effect } from "effect"
import { KeptByOwner } from "../../src/retention/KeptByOwner.ts"
import { NewestKept } from "../../src/retention/NewestKept.ts"

describe("NewestKept", () => {
  it("keeps each item at its index when older ones are dropped", () => {
    const kept = new NewestKept<number>()
    for (let i = 0; i < 5_000; i++) {
      assert.strictEqual(kept.push(10 * i), i)
      if (i % 7 !== 0) assert.strictEqual(kept.evictOldest(), 10 * (kept.first - 1))
      assert.strictEqual(kept.at(kept.first - 1), undefined)
      assert.strictEqual(kept.at(kept.first), 10 * kept.first)
      assert.strictEqual(kept.at(i), 10 * i)
      assert.strictEqual(kept.length, i + 1)
      assert.strictEqual(kept.size, kept.length - kept.first)
    }
  })

  it("drops nothing while empty, and continues", () => {
    const kept = new NewestKept<string>()
    assert.isUndefined(kept.evictOldest())
    kept.push("a")
    assert.deepStrictEqual([kept.evictOldest(), kept.evictOldest()], ["a", undefined])
    assert.strictEqual(kept.push("b"), 1)
    assert.deepStrictEqual([kept.first, kept.length, kept.at(0), kept.at(1)], [1, 2, undefined, "b"])
  })
})

describe("KeptByOwner", () => {
  it.effect("keeps the newest items of each queue up to the maximum, and evicts from the longest", () =>
    Effect.gen(function* () {
      const placeOf = (item: number) => ({ owner: ownerOf(item), queue: `${ownerOf(item)} ${item % 2}` })
      const kept = new KeptByOwner<number>(100, placeOf)
      const added: Array<number> = []
      const queues = [...new Set(Array.from({ length: 100 }, (_, item) => placeOf(item).queue))]
      for (let item = 0; item < 20_000; item++) {
        // Each of the owners is the busiest once.
        const skipped = ownerOf(item) !== owners[Math.floor(item / 4_000)] && item % 13 !== 0
        if (skipped && item > 300) continue
        kept.add(item)
        added.push(item)
        if (item % 397 !== 0 && item !== 250) continue
        const all = yield* readAll(kept, undefined)
        assert.lengthOf(all, Math.min(added.length, 100))
        assert.deepStrictEqual(
          all,
          all.toSorted((a, b) => b - a)
        )
        for (const owner of ["a", "b", "c", "nobody"]) {
          assert.deepStrictEqual(
            yield* readAll(kept, owner),
            all.filter((one) => ownerOf(one) === owner)
          )
        }
        const of = (name: string, items: ReadonlyArray<number>) => items.filter((one) => placeOf(one).queue === name)
        const maxLength = Math.max(...queues.map((queue) => of(queue, all).length))
        for (const queue of queues) {
          const [ever, now] = [of(queue, added), of(queue, all)]
          assert.deepStrictEqual(now, ever.slice(ever.length - now.length).toReversed())
          if (now.length < ever.length) assert.isAtLeast(now.length, maxLength - 1)
        }
      }
    })
  )

  it.effect("pages neither repeat nor skip an item, even if others are added and dropped meanwhile", () =>
    Effect.gen(function* () {
      const kept = new KeptByOwner<number>(5, () => ({ owner: "a", queue: "a" }))
      for (let item = 0; item < 5; item++) kept.add(item)
      const first = yield* kept.page("a", { limit: 2, cursor: undefined }, () => true)
      assert.deepStrictEqual(first.items, [4, 3])
      for (let item = 5; item < 7; item++) kept.add(item)
      const second = yield* kept.page("a", { limit: 2, cursor: first.next_cursor ?? "" }, () => true)
      assert.deepStrictEqual(second, { items: [2], next_cursor: null })
      yield* failsWith(
        kept.page("a", { limit: 2, cursor: "before-8" }, () => true),
        "InvalidParameter"
      )
    })
  )
})

const owners = [undefined, "a", "b", "b", "c"]
const ownerOf = (item: number) => owners[item % 5]

const readAll = Effect.fnUntraced(function* (kept: KeptByOwner<number>, owner: string | undefined) {
  const items: Array<number> = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<number> = yield* kept.page(owner, { limit: 7, cursor }, () => true)
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
})
