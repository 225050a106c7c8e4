/** Conformance suite of the port `OwnBookmarks`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Postcode } from "@postcode/core/Postcode"
import { type BookmarkOwner, maxOwnBookmarks, OwnBookmarks } from "@postcode/gateway/widget/bookmarks/OwnBookmarks"
import { type Bookmark, EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { unique } from "../../fixtures/Records.ts"

/** Registers the tests of the port `OwnBookmarks`. */
export const ownBookmarksSuite = <E>(name: string, adapter: Layer.Layer<EndUsers | OwnBookmarks, E>): void =>
  layer(adapter, { excludeTestServices: true })(`OwnBookmarks ${name}`, (it) => {
    addBoundTests(it)
    addLifeTests(it)

    it.effect("bookmarks are listed newest first; the same postcode again replaces the label and is the newest", () =>
      Effect.gen(function* () {
        const own = yield* OwnBookmarks
        const owner = newOwner()
        assert.deepStrictEqual(yield* own.list(owner), [])
        for (const [n, label] of [
          [1, "Home"],
          [2, "Ilé, “Flat 2” \u0000🏠"],
          [3, "Shop"],
          [1, "Old home"]
        ] as const) {
          yield* own.save(owner, bookmark(n, label))
        }
        const saved = [bookmark(1, "Old home"), bookmark(3, "Shop"), bookmark(2, "Ilé, “Flat 2” \u0000🏠")]
        assert.deepStrictEqual(yield* own.list(owner), saved)
      })
    )

    it.effect("a bookmark is removed once, by its postcode", () =>
      Effect.gen(function* () {
        const own = yield* OwnBookmarks
        const owner = newOwner()
        yield* own.save(owner, bookmark(1))
        yield* own.save(owner, bookmark(2))
        assert.isTrue(yield* own.remove(owner, bookmark(1).postcode))
        assert.isFalse(yield* own.remove(owner, bookmark(1).postcode))
        assert.deepStrictEqual(yield* own.list(owner), [bookmark(2)])
        assert.isTrue(yield* own.remove(owner, bookmark(2).postcode))
        assert.deepStrictEqual(yield* own.list(owner), [])
      })
    )

    it.effect("other organizations, environments and end users neither see nor remove a bookmark", () =>
      Effect.gen(function* () {
        const own = yield* OwnBookmarks
        const owner = newOwner()
        yield* own.save(owner, bookmark(1))
        const others: ReadonlyArray<BookmarkOwner> = [
          { ...owner, organization_id: unique("org") },
          { ...owner, environment: "live" },
          { ...owner, identifier_hashes: [unique("1:hash")] }
        ]
        for (const other of others) {
          assert.deepStrictEqual(yield* own.list(other), [])
          assert.isFalse(yield* own.remove(other, bookmark(1).postcode))
        }
        assert.deepStrictEqual(yield* own.list(owner), [bookmark(1)])
      })
    )
  })

/** Tests of the maximum, and of concurrent changes. */
const addBoundTests = (it: Vitest.MethodsNonLive<EndUsers | OwnBookmarks>): void => {
  it.effect(`the bookmark after ${maxOwnBookmarks} is a conflict; replacing one is not`, () =>
    Effect.gen(function* () {
      const own = yield* OwnBookmarks
      const owner = newOwner()
      for (let n = 0; n < maxOwnBookmarks; n++) yield* own.save(owner, bookmark(n))
      yield* failsWith(own.save(owner, bookmark(maxOwnBookmarks)), "Conflict")
      yield* own.save(owner, bookmark(0, "again"))
      const listed = yield* own.list(owner)
      assert.strictEqual(listed.length, maxOwnBookmarks)
      assert.deepStrictEqual(listed[0], bookmark(0, "again"))
    })
  )

  it.effect("concurrent changes of one end user are all kept", () =>
    Effect.gen(function* () {
      const own = yield* OwnBookmarks
      const owner = newOwner()
      const saves = Array.from({ length: 20 }, (_, n) => own.save(owner, bookmark(n)))
      yield* Effect.all(saves, { concurrency: "unbounded" })
      const removals = Array.from({ length: 10 }, (_, n) => own.remove(owner, bookmark(n).postcode))
      yield* Effect.all(removals, { concurrency: "unbounded" })
      const codes = (yield* own.list(owner)).map(({ postcode }) => postcode)
      assert.sameMembers(
        codes,
        Array.from({ length: 10 }, (_, n) => bookmark(n + 10).postcode)
      )
    })
  )
}

/** Tests of pepper rotation and removal. */
const addLifeTests = (it: Vitest.MethodsNonLive<EndUsers | OwnBookmarks>): void => {
  it.effect("bookmarks under a former pepper are found, and move to the present one at the next change", () =>
    Effect.gen(function* () {
      const own = yield* OwnBookmarks
      const [present, former] = [unique("2:hash"), unique("1:hash")]
      const before: BookmarkOwner = { ...newOwner(), identifier_hashes: [former] }
      const after: BookmarkOwner = { ...before, identifier_hashes: [present, unique("0:hash"), former] }
      yield* own.save(before, bookmark(1))
      assert.deepStrictEqual(yield* own.list(after), [bookmark(1)])
      yield* own.save(after, bookmark(2))
      assert.deepStrictEqual(yield* own.list(after), [bookmark(2), bookmark(1)])
      assert.deepStrictEqual(yield* own.list(before), [])
      yield* own.save(before, bookmark(3))
      assert.isTrue(yield* own.remove(after, bookmark(3).postcode))
      assert.deepStrictEqual(yield* own.list(after), [bookmark(2), bookmark(1)])
    })
  )

  it.effect("removing an end user's account removes the bookmarks of its identifiers, in all organizations", () =>
    Effect.gen(function* () {
      const own = yield* OwnBookmarks
      const endUsers = yield* EndUsers
      const [mine, other] = [newOwner(), newOwner()]
      const elsewhere: BookmarkOwner = { ...mine, organization_id: unique("org"), environment: "live" }
      for (const owner of [mine, elsewhere, other]) yield* own.save(owner, bookmark(1))
      const id = yield* endUsers.save({
        id: unique("usr"),
        identifier_hashes: mine.identifier_hashes,
        bookmarks: []
      })
      yield* endUsers.remove(id)
      assert.deepStrictEqual(yield* own.list(mine), [])
      assert.deepStrictEqual(yield* own.list(elsewhere), [])
      assert.deepStrictEqual(yield* own.list(other), [bookmark(1)])
    })
  )

  it.effect("removing an organization's bookmarks leaves those of others", () =>
    Effect.gen(function* () {
      const own = yield* OwnBookmarks
      const [mine, other] = [newOwner(), newOwner()]
      const live: BookmarkOwner = { ...mine, environment: "live" }
      for (const owner of [mine, live, other]) yield* own.save(owner, bookmark(1))
      yield* own.removeAll(mine.organization_id)
      assert.deepStrictEqual(yield* own.list(mine), [])
      assert.deepStrictEqual(yield* own.list(live), [])
      assert.deepStrictEqual(yield* own.list(other), [bookmark(1)])
    })
  )
}

const newOwner = (): BookmarkOwner => ({
  organization_id: unique("org"),
  environment: "test",
  identifier_hashes: [unique("1:hash")]
})

const bookmark = (n: number, label = `saved ${n}`): Bookmark => ({
  postcode: `LA-12-A${String(n).padStart(3, "0").slice(0, 2)}-BG-0${n % 10}` as Postcode,
  label
})
