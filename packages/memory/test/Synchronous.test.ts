/** Requests are answered at once where nothing waits: in memory, nothing does, and what is free needs no fiber. */
import { assert, describe, it } from "@effect/vitest"
import { AccessRequests } from "@postcode/core/ports/AccessRequests"
import { Accounts } from "@postcode/core/ports/Accounts"
import { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { AuditLog } from "@postcode/core/ports/AuditLog"
import { ConsoleSessions } from "@postcode/core/ports/ConsoleSessions"
import { CreditLedger } from "@postcode/core/ports/CreditLedger"
import { EndUsers } from "@postcode/core/ports/EndUsers"
import { Organizations } from "@postcode/core/ports/Organizations"
import { Passkeys } from "@postcode/core/ports/Passkeys"
import { RateLimiter } from "@postcode/core/ports/RateLimiter"
import { Selections } from "@postcode/core/ports/Selections"
import { Units } from "@postcode/core/ports/Units"
import { UsageLog } from "@postcode/core/ports/UsageLog"
import { newAccount, newInvitation } from "@postcode/core/testing/AccountsSuite"
import { newAccessRequest, newKey, newOrganization, unique } from "@postcode/core/testing/Fixtures"
import { newSelection } from "@postcode/core/testing/SelectionsSuite"
import { Effect, Exit, type Layer, ManagedRuntime } from "effect"
import { codes } from "./SmallDirectory.ts"
import { noon, ports } from "./Store.ts"

describe("in memory", () => {
  it("every method is done when it is called", () => {
    const runtime = ManagedRuntime.make(ports)
    const page = { limit: 20, cursor: undefined }
    const organization = newOrganization()
    const organization_id = organization.id
    const submission = { business_name: "Example", registration_number: "RC 1", submitted_at: noon }
    const key = newKey(organization_id)
    const successor = newKey(organization_id, { replaces: key.id })
    const rotation = { id: key.id, at: noon, expires_at: noon, successor, hash: "another hash" }
    const request = newAccessRequest(organization_id)
    const account = { organization_id, environment: "test" } as const
    const event = {
      id: unique("evt"),
      at: "",
      actor: "operator",
      action: "key.created",
      subject: "",
      details: {}
    } as const
    const person = newAccount()
    const session = {
      account_id: person.id,
      epoch: 1,
      created_at: "2026-01-31T12:00:00.000Z",
      ends_at: "2026-02-01T12:00:00.000Z"
    }
    const charge = { ...account, key_id: key.id, amount: 1, reason: "lookup", request_id: "r" } as const
    const days = { from: "2026-01-01", to: "2026-12-31" }
    const year = { ...account, ...days, by: "operation", key_id: undefined, limit: 5 } as const
    const idempotency = { key: "k", fingerprint: "f" }

    const calls: ReadonlyArray<Effect.Effect<unknown, unknown, typeof ports extends Layer.Layer<infer R> ? R : never>> =
      [
        Effect.flatMap(Organizations, (it) => it.create(organization, { test: 10, live: 0 })),
        Effect.flatMap(Organizations, (it) => it.get(organization_id)),
        Effect.flatMap(Organizations, (it) => it.list({}, page)),
        Effect.flatMap(Organizations, (it) => it.update(organization_id, { name: "renamed" })),
        Effect.flatMap(Organizations, (it) => it.submitKyb(organization_id, submission)),
        Effect.flatMap(ApiKeys, (it) => it.create(key, "hash")),
        Effect.flatMap(ApiKeys, (it) => it.findByHash("hash", "2026-01-31T12:00:00.000Z")),
        Effect.flatMap(ApiKeys, (it) => it.findById(key.id, "2026-01-31T12:00:00.000Z")),
        Effect.flatMap(ApiKeys, (it) => it.list(organization_id, page)),
        Effect.flatMap(ApiKeys, (it) => it.get(key.id)),
        Effect.flatMap(CreditLedger, (it) => it.grant({ ...account, amount: 1, reference: "r" })),
        Effect.flatMap(CreditLedger, (it) => it.charge({ ...charge, idempotency })),
        Effect.flip(Effect.flatMap(CreditLedger, (it) => it.charge({ ...charge, amount: 1_000 }))),
        Effect.flatMap(CreditLedger, (it) => it.statement(account, page)),
        Effect.flatMap(AccessRequests, (it) => it.create(request)),
        Effect.flatMap(AccessRequests, (it) => it.list({}, page)),
        Effect.flatMap(AccessRequests, (it) => it.decide(request.id, { status: "approved", note: "", decided_at: "" })),
        Effect.flatMap(AuditLog, (it) => it.append(event)),
        Effect.flatMap(AuditLog, (it) => it.list({}, page)),
        Effect.flatMap(UsageLog, (it) => it.daily(year)),
        Effect.flatMap(UsageLog, (it) => it.traffic({ organization_id, key_id: key.id }, 0)),
        Effect.flatMap(EndUsers, (it) => it.save({ id: "usr", identifier_hashes: ["1:a"], bookmarks: [] })),
        Effect.flatMap(EndUsers, (it) => it.bookmarks(["1:a"])),
        Effect.flatMap(Selections, (it) => it.record(newSelection({ organization_id }))),
        Effect.flatMap(Selections, (it) => it.list(organization_id, page)),
        Effect.flatMap(Accounts, (it) => it.invite(newInvitation({ role: "operator" }), "invited")),
        Effect.flatMap(Accounts, (it) => it.accept("invited", person, session.created_at)),
        Effect.flatMap(Accounts, (it) => it.find(person.id)),
        Effect.flatMap(Accounts, (it) => it.findByEmail(person.email)),
        Effect.flatMap(Accounts, (it) => it.list({ organization_id: undefined }, page)),
        Effect.flatMap(Accounts, (it) => it.invitations({ organization_id }, session.created_at, page)),
        Effect.flatMap(ConsoleSessions, (it) => it.start("session", session)),
        Effect.flatMap(ConsoleSessions, (it) => it.find("session", session.created_at)),
        Effect.flatMap(ConsoleSessions, (it) => it.extend("session", session.ends_at)),
        Effect.flatMap(Passkeys, (it) => it.list(person.id)),
        Effect.flatMap(RateLimiter, (it) => it.take("key:subject", 5, 1)),
        Effect.flatMap(Units, (it) => it.attributes([codes.whole])),
        Effect.flatMap(ApiKeys, (it) => it.rotate(rotation)),
        Effect.flatMap(ApiKeys, (it) => it.revoke(key.id, "2026-01-31T12:00:00.000Z"))
      ]
    for (const [i, call] of calls.entries()) {
      const fiber = runtime.runFork(call)
      assert.strictEqual(fiber.pollUnsafe()?._tag, "Success", `call ${i}`)
    }
  })

  it.effect("what free requests ask for is there as an Exit", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const limiter = yield* RateLimiter
      const units = yield* Units
      assert.isTrue(Exit.isExit(keys.findByHash("no key's", noon)))
      assert.isTrue(Exit.isExit(keys.findById("no key's", noon)))
      assert.isTrue(Exit.isExit(limiter.take("key:subject", 5, 1)))
      assert.isTrue(Exit.isExit(units.attributes([codes.whole])))
    }).pipe(Effect.provide(ports))
  )

  it.effect("a principal is the same frozen object until its organization's grant changes", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const keys = yield* ApiKeys
      const organization = newOrganization({ granted_level: 2 })
      yield* organizations.create(organization, { test: 0, live: 0 })
      yield* keys.create(newKey(organization.id), "hash")
      const find = () => keys.findByHash("hash", "2026-01-31T12:00:00.000Z")
      const principal = yield* find()
      assert.isTrue(Object.isFrozen(principal))
      yield* organizations.update(organization.id, { name: "renamed" })
      assert.strictEqual(yield* find(), principal)
      yield* organizations.update(organization.id, { granted_level: 3 })
      const raised = yield* find()
      assert.notStrictEqual(raised, principal)
      assert.strictEqual(yield* find(), raised)
    }).pipe(Effect.provide(ports))
  )
})
