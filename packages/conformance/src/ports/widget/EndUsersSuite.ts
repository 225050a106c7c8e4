/** Conformance suite of the port `EndUsers`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Postcode } from "@postcode/core/Postcode"
import { type EndUser, EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { unique } from "../../fixtures/Records.ts"

/** Registers the tests of the port `EndUsers`. */
export const endUsersSuite = <E>(name: string, adapter: Layer.Layer<EndUsers, E>): void =>
  layer(adapter, { excludeTestServices: true })(`EndUsers ${name}`, (it) => {
    addPepperTests(it)
    addManyTests(it)
    addRecordTests(it)

    it.effect("every identifier of an end user finds the bookmarks, in order", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const user = newEndUser()
        assert.strictEqual(yield* endUsers.save(user), user.id)
        for (const hash of user.identifier_hashes) {
          assert.deepStrictEqual(yield* endUsers.bookmarks([hash]), user.bookmarks)
        }
      })
    )

    it.effect("an unknown identifier finds no bookmarks", () =>
      Effect.gen(function* () {
        const endUsers = yield* EndUsers
        const user = newEndUser({ bookmarks: [] })
        yield* endUsers.save(user)
        for (const hash of [unique("1:hash"), user.id, "", ...user.identifier_hashes]) {
          assert.deepStrictEqual(yield* endUsers.bookmarks([hash]), [])
        }
      })
    )

    it.effect("one known identifier is enough to replace an end user, who keeps the id", () =>
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

    it.effect("identifiers of two end users are a conflict, and nothing changes", () =>
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

    it.effect("concurrent saves of an end user result in one end user", () =>
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

/** Tests of pepper rotation. */
const addPepperTests = (it: Vitest.MethodsNonLive<EndUsers>): void => {
  it.effect("an end user stored under a previous pepper is found by it, and moves to the current one", () =>
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

  it.effect("identifiers under a previous pepper also conflict", () =>
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

/** Tests of `saveAll`. */
const addManyTests = (it: Vitest.MethodsNonLive<EndUsers>): void => {
  const hashes = <const N extends ReadonlyArray<string>>(...names: N) =>
    names.map((name) => unique(`1:${name}`)) as { [K in keyof N]: string }

  it.effect("a batch has the same result as sequential saves", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const [a, b, c, d, e] = hashes("a", "b", "c", "d", "e")
      const before = newEndUser({ identifier_hashes: [a, b] })
      yield* endUsers.save(before)
      const users = [
        // Releases b for the next end user.
        newEndUser({ identifier_hashes: [a, c], bookmarks: [bookmark(1, "first")] }),
        newEndUser({ identifier_hashes: [b, d], bookmarks: [bookmark(2, "second")] }),
        newEndUser({ identifier_hashes: [c, d], bookmarks: [bookmark(3, "of two")] }),
        newEndUser({ identifier_hashes: [e], bookmarks: [] }),
        // The same accounts as the first and the last.
        newEndUser({ identifier_hashes: [a], bookmarks: [bookmark(4, "again")] }),
        newEndUser({ identifier_hashes: [c, e], bookmarks: [bookmark(5, "once more")] })
      ]
      const ids = yield* endUsers.saveAll(users)
      assert.deepStrictEqual(ids, [before.id, users[1]?.id, undefined, users[3]?.id, before.id, users[3]?.id])
      const labels = yield* Effect.forEach([a, b, c, d, e], (hash) =>
        Effect.map(endUsers.bookmarks([hash]), ([first]) => first?.label)
      )
      assert.deepStrictEqual(labels, ["again", "second", "once more", "second", "once more"])
    })
  )

  it.effect("hundreds are saved in one batch, and saving them again changes nothing", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const users = Array.from({ length: 500 }, (_, i) => newEndUser({ bookmarks: [bookmark(i % 100, `of ${i}`)] }))
      const ids = yield* endUsers.saveAll(users)
      assert.deepStrictEqual(
        ids,
        users.map(({ id }) => id)
      )
      const again = users.map((user) => ({ ...user, id: unique("usr") }))
      assert.deepStrictEqual(yield* endUsers.saveAll(again), ids)
      const last = users[499] as EndUser
      const stored = { id: last.id, identifiers: 2, bookmarks: last.bookmarks }
      assert.deepStrictEqual(yield* endUsers.get(last.id), stored)
    })
  )

  it.effect("an empty batch, or one that is all conflicts, saves nothing", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      assert.deepStrictEqual(yield* endUsers.saveAll([]), [])
      const [mine, yours] = [newEndUser(), newEndUser()]
      yield* endUsers.saveAll([mine, yours])
      const both = newEndUser({ identifier_hashes: [mine, yours].map((user) => user.identifier_hashes[0] as string) })
      assert.deepStrictEqual(yield* endUsers.saveAll([both]), [undefined])
      assert.strictEqual(yield* endUsers.get(both.id), undefined)
    })
  )

  it.effect("an end user in concurrent batches is one end user", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const shared = unique("1:shared")
      const saves = Array.from({ length: 8 }, (_, i) => [
        newEndUser({ bookmarks: [] }),
        newEndUser({ identifier_hashes: [shared], bookmarks: [bookmark(i, `saved ${i}`)] }),
        newEndUser({ bookmarks: [] })
      ])
      const ids = yield* Effect.forEach(saves, endUsers.saveAll, { concurrency: "unbounded" })
      assert.strictEqual(new Set(ids.map(([, id]) => id)).size, 1)
    })
  )
}

/** Tests of stored accounts and their removal. */
const addRecordTests = (it: Vitest.MethodsNonLive<EndUsers>): void => {
  it.effect("an end user is found by id and by each identifier, with the number of identifiers", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const user = newEndUser()
      yield* endUsers.save(user)
      const stored = { id: user.id, identifiers: 2, bookmarks: user.bookmarks }
      assert.deepStrictEqual(yield* endUsers.get(user.id), stored)
      for (const hash of user.identifier_hashes) {
        assert.deepStrictEqual(yield* endUsers.find([unique("2:hash"), hash]), stored)
      }
      yield* endUsers.save({ ...user, identifier_hashes: user.identifier_hashes.slice(1), bookmarks: [] })
      assert.deepStrictEqual(yield* endUsers.get(user.id), { ...stored, identifiers: 1, bookmarks: [] })
      for (const id of [unique("usr"), "", user.identifier_hashes[0] as string]) {
        assert.strictEqual(yield* endUsers.get(id), undefined)
      }
      assert.strictEqual(yield* endUsers.find([user.identifier_hashes[0] as string]), undefined)
      assert.strictEqual(yield* endUsers.find([user.id]), undefined)
    })
  )

  it.effect("a removed end user is not found, and the identifiers are free", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const [gone, other] = [newEndUser(), newEndUser()]
      yield* endUsers.saveAll([gone, other])
      const stored = { id: gone.id, identifiers: 2, bookmarks: gone.bookmarks }
      assert.deepStrictEqual(yield* endUsers.remove(gone.id), stored)
      assert.strictEqual(yield* endUsers.remove(gone.id), undefined)
      assert.strictEqual(yield* endUsers.get(gone.id), undefined)
      for (const hash of gone.identifier_hashes) {
        assert.deepStrictEqual(yield* endUsers.bookmarks([hash]), [])
        assert.strictEqual(yield* endUsers.find([hash]), undefined)
      }
      assert.strictEqual((yield* endUsers.get(other.id))?.id, other.id)
      const back = newEndUser({ identifier_hashes: gone.identifier_hashes })
      assert.strictEqual(yield* endUsers.save(back), back.id, "who comes back is somebody new")
    })
  )

  it.effect("of concurrent removals one returns the end user", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const user = newEndUser()
      yield* endUsers.save(user)
      const removed = yield* Effect.all(
        Array.from({ length: 10 }, () => endUsers.remove(user.id)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(removed.filter((one) => one !== undefined).length, 1)
    })
  )

  it.effect("end users are counted, not identifiers", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const before = yield* endUsers.count()
      const users = [newEndUser(), newEndUser(), newEndUser()]
      yield* endUsers.saveAll([...users, ...users])
      assert.strictEqual(yield* endUsers.count(), before + 3)
      yield* endUsers.remove((users[0] as EndUser).id)
      assert.strictEqual(yield* endUsers.count(), before + 2)
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
