import { assert, layer } from "@effect/vitest"
import { endUsersSuite } from "@postcode/conformance"
import type { Postcode } from "@postcode/core/Postcode"
import { type EndUser, EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerEndUsers } from "../../src/widget/EndUsers.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

const store = Layer.provideMerge(layerEndUsers, layerMigrated)

endUsersSuite("on PostgreSQL", store)

layer(store, { excludeTestServices: true })("EndUsers on PostgreSQL, at the same time", (it) => {
  it.effect("accounts that share any identifier are always one account", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      // Each is in two saves of a ring, in either order.
      const saves = Array.from({ length: 40 }, (_, i) => {
        const pair = [`1:ring_${i % 8}`, `1:ring_${(i + 1) % 8}`]
        return { id: `usr_ring_${i}`, identifier_hashes: i % 2 === 0 ? pair : pair.toReversed(), bookmarks: [] }
      })
      const outcomeOf = (user: EndUser) =>
        Effect.match(endUsers.save(user), { onSuccess: () => "saved", onFailure: ({ _tag }) => _tag })
      const outcomes = yield* Effect.forEach(saves, outcomeOf, { concurrency: 8 })
      assert.includeMembers(["saved", "Conflict"], outcomes, "no two wait for each other in a circle")
      assert.include(outcomes, "saved")
      yield* assertWhole
    })
  )

  it.effect("concurrent saves that reach one account by different identifiers have the result of sequential ones", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      for (let round = 0; round < 30; round++) {
        const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => `1:${name}_${round}`) as [
          string,
          string,
          string,
          string
        ]
        yield* endUsers.save({ id: `usr_first_${round}`, identifier_hashes: [a, b], bookmarks: [] })
        const [left, right] = yield* Effect.all(
          [
            endUsers.save({ id: `usr_left_${round}`, identifier_hashes: [a, c], bookmarks: [bookmark("left")] }),
            endUsers.save({ id: `usr_right_${round}`, identifier_hashes: [b, d], bookmarks: [bookmark("right")] })
          ],
          { concurrency: "unbounded" }
        )
        assert.notStrictEqual(left, right, "the second statement finds its identifier free")
        assert.include([left, right], `usr_first_${round}`)
        assert.deepStrictEqual(yield* endUsers.bookmarks([c]), [bookmark("left")])
        assert.deepStrictEqual(yield* endUsers.bookmarks([d]), [bookmark("right")])
      }
      yield* assertWhole
    })
  )

  it.effect("concurrent batches, saves and removals leave every account consistent", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const names = Array.from({ length: 12 }, (_, i) => `1:mixed_${i}`)
      const userOf = (round: number, first: number): EndUser => ({
        id: `usr_mixed_${round}_${first}`,
        identifier_hashes: [0, 5].map((step) => names[(first + step * round) % 12] as string),
        bookmarks: [bookmark(`${round}`)]
      })
      const works = Array.from({ length: 40 }, (_, round) => {
        const users = names.map((_name, first) => userOf(round, first))
        const one = users[round % 12] as EndUser
        if (round % 4 === 0) return Effect.asVoid(endUsers.saveAll(users))
        if (round % 4 === 1) return Effect.asVoid(endUsers.saveAll(users.toReversed()))
        if (round % 4 === 2) return Effect.ignore(endUsers.save(one))
        return Effect.flatMap(endUsers.find([one.identifier_hashes[0] as string]), (found) =>
          found === undefined ? Effect.void : Effect.asVoid(endUsers.remove(found.id))
        )
      })
      yield* Effect.all(works, { concurrency: 8, discard: true })
      yield* assertWhole
    })
  )

  it.effect("a label is returned unchanged, with any characters", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const bookmarks = [bookmark("a\u0000b \ud800"), bookmark("Ẹ̀kọ́ 🏠")]
      yield* endUsers.save({ id: "usr_label", identifier_hashes: ["1:label"], bookmarks })
      assert.deepStrictEqual(yield* endUsers.bookmarks(["1:label"]), bookmarks)
    })
  )
})

const bookmark = (label: string) => ({ postcode: "LA-12-A03-BG-07" as Postcode, label })

/** Asserts that every account has an identifier. */
const assertWhole = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const lost = yield* sql`
    SELECT id FROM postcode.end_users u
    WHERE NOT EXISTS (SELECT FROM postcode.end_user_identifiers i WHERE i.end_user_id = u.id)`
  assert.deepStrictEqual(lost, [])
})
