import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { saveEndUser, saveEndUsers } from "@postcode/gateway/widget/endUsers/saveEndUser"
import { Effect, Redacted, Result } from "effect"
import { codes } from "../directory/SmallDirectory.ts"
import { guessableForms } from "../GuessableForms.ts"
import { auditTrail, ports } from "../Store.ts"

const bookmarks = [
  { postcode: codes.whole, label: "Home" },
  { postcode: codes.far, label: "Work" }
]

const save = (identifiers: ReadonlyArray<string>, saved = bookmarks) =>
  Effect.flatMap(saveEndUser, (run) =>
    run({ identifiers: identifiers.map((raw) => Redacted.make(raw)), bookmarks: saved }, tokenManager)
  )

const bookmarksOf = Effect.fnUntraced(function* (normalized: string) {
  const { identifierHashes } = yield* Secrets
  return yield* (yield* EndUsers).bookmarks(identifierHashes(Redacted.make(normalized)))
})

describe("saveEndUser", () => {
  it.effect("each identifier finds the bookmarks, in any spelling", () =>
    Effect.gen(function* () {
      const id = yield* save([" 12345678901 ", "Ada.Obi@Example.NG"])
      assert.match(id, /^usr_[0-9A-Za-z]{20}$/)
      assert.deepStrictEqual(yield* bookmarksOf("12345678901"), bookmarks)
      assert.deepStrictEqual(yield* bookmarksOf("ada.obi@example.ng"), bookmarks)
      assert.strictEqual(yield* save(["ADA.OBI@EXAMPLE.NG"], []), id)
      assert.deepStrictEqual(yield* bookmarksOf("ada.obi@example.ng"), [])
      assert.deepStrictEqual(yield* bookmarksOf("12345678901"), [], "an identifier that is no longer given is dropped")
    }).pipe(Effect.provide(ports))
  )

  it.effect("the audit log has the numbers of identifiers and bookmarks, and not their content", () =>
    Effect.gen(function* () {
      const id = yield* save(["12345678901", "12345678901 ", "ada.obi@example.ng"])
      const [event] = yield* auditTrail
      assert.deepInclude(event, { actor: "operator", action: "end_user.saved", subject: id })
      assert.deepStrictEqual(event?.details, { identifiers: 2, bookmarks: 2 })
      assert.notProperty(event, "organization_id")
    }).pipe(Effect.provide(ports))
  )

  it.effect("no port gets an identifier, or a hash without the pepper", () =>
    Effect.gen(function* () {
      const [endUsers, auditLog] = [yield* EndUsers, yield* AuditLog]
      const given: Array<unknown> = []
      const watchedUsers: EndUsers["Service"] = {
        ...endUsers,
        save: (user) => {
          given.push(user)
          return endUsers.save(user)
        }
      }
      const watchedLog: AuditLog["Service"] = {
        ...auditLog,
        append: (event) => {
          given.push(event)
          return auditLog.append(event)
        }
      }
      yield* save(["12345678901", "Ada.Obi@Example.NG"]).pipe(
        Effect.provideService(EndUsers, watchedUsers),
        Effect.provideService(AuditLog, watchedLog)
      )
      assert.strictEqual(given.length, 2)
      const written = JSON.stringify(given)
      for (const raw of ["12345678901", "Ada.Obi@Example.NG", "ada.obi@example.ng"]) {
        for (const form of guessableForms(raw)) assert.notInclude(written.toLowerCase(), form.toLowerCase())
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("a malformed identifier is refused with its position and not repeated, and nothing is stored", () =>
    Effect.gen(function* () {
      const malformed = ["1234567890", "123456789012", "ada", "ada@", "@example.ng", "ada@example", ""]
      for (const raw of malformed) {
        const error: InvalidParameter = yield* failsWith(save(["12345678901", raw]), "InvalidParameter")
        assert.strictEqual(error.parameter, "identifiers[1]")
        if (raw !== "" && raw !== "ada") assert.notInclude(error.message, raw)
      }
      assert.deepStrictEqual(yield* bookmarksOf("12345678901"), [])
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )

  it.effect("an account needs an identifier", () =>
    Effect.gen(function* () {
      const error: InvalidParameter = yield* failsWith(save([]), "InvalidParameter")
      assert.strictEqual(error.parameter, "identifiers")
    }).pipe(Effect.provide(ports))
  )

  it.effect("identifiers of two accounts are a conflict and leave no audit entry", () =>
    Effect.gen(function* () {
      yield* save(["12345678901"])
      yield* save(["ada.obi@example.ng"])
      yield* failsWith(save(["12345678901", "ada.obi@example.ng"]), "Conflict")
      assert.strictEqual((yield* auditTrail).length, 2)
    }).pipe(Effect.provide(ports))
  )
})

describe("saveEndUsers", () => {
  const saveAll = (people: ReadonlyArray<ReadonlyArray<string>>) =>
    Effect.flatMap(saveEndUsers, (run) =>
      run(
        people.map((identifiers) => ({ identifiers: identifiers.map((raw) => Redacted.make(raw)), bookmarks })),
        tokenManager
      )
    )

  it.effect("each is saved separately; one whose identifiers belong to two end users is a conflict", () =>
    Effect.gen(function* () {
      const saved = yield* saveAll([["12345678901"], ["ada.obi@example.ng"], ["12345678901", "Ada.Obi@example.ng"]])
      const ids = saved.map((one) => (Result.isSuccess(one) ? one.success : one.failure._tag))
      assert.match(ids[0] ?? "", /^usr_/)
      assert.deepStrictEqual(ids.slice(2), ["Conflict"])
      const subjects = (yield* auditTrail).map(({ subject }) => subject)
      assert.sameMembers(subjects, ids.slice(0, 2))
      assert.deepStrictEqual(yield* bookmarksOf("ada.obi@example.ng"), bookmarks)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a malformed one refuses the batch with its position and is not repeated, and nothing is stored", () =>
    Effect.gen(function* () {
      for (const [people, parameter] of [
        [[["12345678901"], ["ada"]], "end_users[1].identifiers[0]"],
        [[["12345678901"], ["ada@example.ng", "1234567890"]], "end_users[1].identifiers[1]"],
        [[["12345678901"], []], "end_users[1].identifiers"]
      ] as const) {
        const error: InvalidParameter = yield* failsWith(saveAll(people), "InvalidParameter")
        assert.strictEqual(error.parameter, parameter)
        assert.notMatch(error.message, /ada|1234567890/)
      }
      assert.deepStrictEqual(yield* bookmarksOf("12345678901"), [])
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )

  it.effect("concurrent requests are stored one after the other, and wait before their transaction starts", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const [begun, inside] = [{ most: 0 }, { now: 0 }]
      const watched: Transactions["Service"] = {
        atomically: (work) => {
          const counted = Effect.gen(function* () {
            begun.most = Math.max(begun.most, ++inside.now)
            yield* Effect.yieldNow
            return yield* work
          })
          return atomically(
            Effect.ensuring(
              counted,
              Effect.sync(() => inside.now--)
            )
          )
        }
      }
      const run = yield* Effect.provideService(saveEndUsers, Transactions, watched)
      const saves = Array.from({ length: 8 }, (_, i) => run([personOf(`p${i}@example.ng`)], tokenManager))
      const saved = yield* Effect.all(saves, { concurrency: "unbounded" })
      assert.strictEqual(begun.most, 1)
      assert.strictEqual(new Set(saved.flat().map((one) => Result.getOrThrow(one))).size, 8)
    }).pipe(Effect.provide(ports))
  )
})

const personOf = (identifier: string) => ({ identifiers: [Redacted.make(identifier)], bookmarks })
