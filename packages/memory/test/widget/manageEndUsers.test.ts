import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { manageEndUsers } from "@postcode/gateway/widget/endUsers/manageEndUsers"
import { saveEndUser } from "@postcode/gateway/widget/endUsers/saveEndUser"
import { Effect, Redacted } from "effect"
import { codes } from "../directory/SmallDirectory.ts"
import { auditTrail, ports } from "../Store.ts"

const bookmarks = [{ postcode: codes.whole, label: "Home" }]
const person = ["12345678901", "Ada.Obi@Example.NG"]

const save = (identifiers: ReadonlyArray<string>) =>
  Effect.flatMap(saveEndUser, (run) =>
    run({ identifiers: identifiers.map((raw) => Redacted.make(raw)), bookmarks }, tokenManager)
  )

describe("manageEndUsers", () => {
  it.effect("an account is found by each identifier, however it is spelled, and by its id", () =>
    Effect.gen(function* () {
      const { count, find, get } = yield* manageEndUsers
      const id = yield* save(person)
      const account = { id, identifiers: 2, bookmarks }
      for (const raw of [" 12345678901", "ADA.OBI@EXAMPLE.NG "]) {
        assert.deepStrictEqual(yield* find(Redacted.make(raw), tokenManager), account)
      }
      assert.deepStrictEqual(yield* get(id, tokenManager), account)
      assert.strictEqual(yield* count(tokenManager), 1)
    }).pipe(Effect.provide(ports))
  )

  it.effect(
    "an unknown identifier is NotFound and audited by its hash, an invalid one is refused, and neither is repeated",
    () =>
      Effect.gen(function* () {
        const { find, get, remove } = yield* manageEndUsers
        const error = yield* failsWith(find(Redacted.make("ada.obi@example.ng"), tokenManager), "NotFound")
        assert.notInclude(String(error), "ada")
        const malformed: InvalidParameter = yield* failsWith(
          find(Redacted.make("ada"), tokenManager),
          "InvalidParameter"
        )
        assert.strictEqual(malformed.message, "identifier: expected an 11-digit NIN or an email address")
        yield* failsWith(get("usr_nobody", tokenManager), "NotFound")
        yield* failsWith(remove("usr_nobody", tokenManager), "NotFound")
        const trail = yield* auditTrail
        assert.deepStrictEqual(
          trail.map(({ action, details }) => ({ action, details })),
          [{ action: "end_user.searched", details: { found: 0 } }]
        )
        assert.match(trail[0]?.subject ?? "", /^1:[0-9a-f]{64}$/)
      }).pipe(Effect.provide(ports))
  )

  it.effect("a removal deletes the account, and is in the audit log once, with the id and the counts", () =>
    Effect.gen(function* () {
      const { count, find, get, remove } = yield* manageEndUsers
      const id = yield* save(person)
      assert.strictEqual((yield* remove(id, tokenManager)).id, id)
      yield* failsWith(get(id, tokenManager), "NotFound")
      yield* failsWith(find(Redacted.make("12345678901"), tokenManager), "NotFound")
      yield* failsWith(remove(id, tokenManager), "NotFound")
      assert.strictEqual(yield* count(tokenManager), 0)
      const trail = yield* auditTrail
      const removed = trail.find(({ action }) => action === "end_user.removed")
      assert.deepInclude(removed, { actor: "operator", action: "end_user.removed", subject: id })
      assert.deepStrictEqual(removed?.details, { identifiers: 2, bookmarks: 1 })
      assert.deepStrictEqual(
        trail.map(({ action }) => action),
        ["end_user.saved", "end_user.removed", "end_user.searched"]
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect("the store gets only hashes", () =>
    Effect.gen(function* () {
      const endUsers = yield* EndUsers
      const asked: Array<unknown> = []
      const watched: EndUsers["Service"] = {
        ...endUsers,
        find: (hashes) => {
          asked.push(hashes)
          return endUsers.find(hashes)
        }
      }
      const { find } = yield* Effect.provideService(manageEndUsers, EndUsers, watched)
      yield* Effect.ignore(find(Redacted.make("12345678901"), tokenManager))
      assert.match(JSON.stringify(asked), /^\[\["1:[0-9a-f]{64}"\]\]$/)
    }).pipe(Effect.provide(ports))
  )
})
