/** What every adapter of the port `EndUsers` must do. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Postcode } from "../Postcode.ts"
import { type EndUser, EndUsers } from "../ports/EndUsers.ts"
import { failsWith } from "./Failures.ts"
import { unique } from "./Fixtures.ts"

export const endUsersSuite = <E>(name: string, adapter: Layer.Layer<EndUsers, E>): void =>
  layer(adapter, { excludeTestServices: true })(`EndUsers ${name}`, (it) => {
    addPepperTests(it)

    it.effect("every identifier of an account leads to its bookmarks, in their order", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const user = newEndUser()
        assert.strictEqual(yield* endUsers.save(user), user.id)
        for (const hash of user.identifier_hashes) {
          assert.deepStrictEqual(yield* endUsers.bookmarks([hash]), user.bookmarks)
        }
      })
    )

    it.effect("an identifier that no account has leads to no bookmarks", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const user = newEndUser({ bookmarks: [] })
        yield* endUsers.save(user)
        for (const hash of [unique("1:hash"), user.id, "", ...user.identifier_hashes]) {
          assert.deepStrictEqual(yield* endUsers.bookmarks([hash]), [])
        }
      })
    )

    it.effect("one known identifier is enough to replace an account; it keeps its id", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const [kept, dropped, added] = [unique("1:hash"), unique("1:hash"), unique("1:hash")]
        const before = newEndUser({ identifier_hashes: [kept, dropped] })
        const after = newEndUser({ identifier_hashes: [kept, added], bookmarks: [bookmark(9, "Shop")] })
        yield* endUsers.save(before)
        assert.strictEqual(yield* endUsers.save(after), before.id)
        assert.deepStrictEqual(yield* endUsers.bookmarks([kept]), after.bookmarks)
        assert.deepStrictEqual(yield* endUsers.bookmarks([added]), after.bookmarks)
        assert.deepStrictEqual(yield* endUsers.bookmarks([dropped]), [])
        const owner = newEndUser({ identifier_hashes: [dropped] })
        assert.strictEqual(yield* endUsers.save(owner), owner.id, "an identifier that was dropped is free")
      })
    )

    it.effect("identifiers of two accounts are a conflict, and nothing changes", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const [mine, yours, fresh] = [unique("1:hash"), unique("1:hash"), unique("1:hash")]
        const me = newEndUser({ identifier_hashes: [mine] })
        const you = newEndUser({ identifier_hashes: [yours], bookmarks: [bookmark(3, "Yours")] })
        yield* endUsers.save(me)
        yield* endUsers.save(you)
        const both = newEndUser({ identifier_hashes: [fresh, mine, yours], bookmarks: [] })
        yield* failsWith(endUsers.save(both), "Conflict")
        assert.deepStrictEqual(yield* endUsers.bookmarks([mine]), me.bookmarks)
        assert.deepStrictEqual(yield* endUsers.bookmarks([yours]), you.bookmarks)
        assert.deepStrictEqual(yield* endUsers.bookmarks([fresh]), [])
      })
    )

    it.effect("an account that is saved many times at once is one account", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const identifier_hashes = [unique("1:hash")]
        const users = Array.from({ length: 20 }, (_, i) =>
          newEndUser({ identifier_hashes, bookmarks: [bookmark(i, `saved ${i}`)] })
        )
        const ids = yield* Effect.forEach(users, endUsers.save, { concurrency: "unbounded" })
        assert.strictEqual(new Set(ids).size, 1)
        const stored = yield* endUsers.bookmarks([identifier_hashes[0] ?? ""])
        assert.deepInclude(
          users.map(({ bookmarks }) => bookmarks),
          stored
        )
      })
    )
  })

/** What holds while peppers are changed. */
const addPepperTests = (it: Vitest.MethodsNonLive<EndUsers>): void => {
  it.effect("an account that was stored under a former pepper is found by it, and moves to the present one", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const [present, former] = [unique("2:hash"), unique("1:hash")]
      const before = newEndUser({ identifier_hashes: [former] })
      yield* endUsers.save(before)
      assert.deepStrictEqual(yield* endUsers.bookmarks([present, unique("0:hash"), former]), before.bookmarks)
      const after = newEndUser({
        identifier_hashes: [present],
        former_hashes: [former, unique("0:hash")],
        bookmarks: [bookmark(9, "Shop")]
      })
      assert.strictEqual(yield* endUsers.save(after), before.id)
      assert.deepStrictEqual(yield* endUsers.bookmarks([present, former]), after.bookmarks)
      assert.deepStrictEqual(yield* endUsers.bookmarks([former]), [], "nothing stays under the former pepper")
      const other = newEndUser({ identifier_hashes: [unique("2:hash")], former_hashes: [former] })
      assert.strictEqual(yield* endUsers.save(other), other.id)
    })
  )

  it.effect("identifiers under a former pepper count for a conflict as well", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const [mine, yours] = [newEndUser(), newEndUser()]
      yield* Effect.forEach([mine, yours], endUsers.save)
      const both = newEndUser({
        identifier_hashes: [mine.identifier_hashes[0] as string],
        former_hashes: [yours.identifier_hashes[0] as string]
      })
      yield* failsWith(endUsers.save(both), "Conflict")
    })
  )
}

const bookmark = (unit: number, label: string) => ({
  postcode: `LA-12-A03-BG-${String(unit).padStart(2, "0")}` as Postcode,
  label
})

const newEndUser = (fields: Partial<EndUser> = {}): EndUser => ({
  id: unique("usr"),
  identifier_hashes: [unique("1:hash"), unique("1:hash")],
  bookmarks: [bookmark(7, "Work"), bookmark(1, "Home"), bookmark(7, "Work, back door")],
  ...fields
})
