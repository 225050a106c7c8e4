/** Organizations that nobody uses: their owners are told, and they are closed. */
import { assert, it } from "@effect/vitest"
import { member, storedKey, storedOrganization, suiteNoticeLimits } from "@postcode/conformance"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { closeUnused } from "@postcode/gateway/suspension/closeUnused"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { atNoon, auditTrail, noon, ports } from "../Store.ts"

const withMail = Layer.provide(ports, Layer.succeed(NoticeLimits, suiteNoticeLimits))

const day_ms = 86_400_000
const dayAfter = (days: number) => new Date(Date.parse(noon) + days * day_ms).toISOString()

/** An organization that signed up at noon. */
const signedUp = Effect.gen(function* () {
  const { id } = yield* storedOrganization({ test: 1_000 }, { granted_level: 1, created_at: noon })
  const { record } = yield* storedKey(id)
  return { ...(yield* member("owner", id)), id, key: record }
})

it.effect("its owners are told once, 14 days before; then it is closed once, by any number of processes", () =>
  Effect.gen(function* () {
    yield* atNoon
    const organizations = yield* Organizations
    const notices = yield* Notices
    const { account, id, key } = yield* signedUp
    yield* member("billing", id)
    const used = yield* signedUp
    const statusOf = (id: string) => Effect.map(organizations.get(id), ({ status }) => status)
    const told = Effect.map(
      notices.list({ kind: "organization_will_close" }, { limit: 100, cursor: undefined }),
      (list) => list.items.map(({ email, facts }) => [email, facts.closes_at])
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        for (let i = 0; i < 3; i++) yield* closeUnused({ after_days: 90 })
        yield* TestClock.adjust(75 * day_ms)
        assert.deepStrictEqual(yield* told, [])
        yield* TestClock.adjust(2 * day_ms)
        const both = [account.email, used.account.email].map((email) => [email, dayAfter(90)])
        assert.sameDeepMembers(yield* told, both)
        const keys = yield* ApiKeys
        yield* keys.findById(used.key.id, dayAfter(77))
        yield* TestClock.adjust(12 * day_ms)
        assert.strictEqual(yield* statusOf(id), "active")
        yield* TestClock.adjust(2 * day_ms)
        assert.sameDeepMembers(yield* told, both)
      })
    )
    assert.strictEqual(yield* statusOf(used.id), "active")
    const closed = yield* organizations.get(id)
    assert.strictEqual(closed.status, "closed")
    assert.include(closed.status_reason, "never used for 90 days")
    // Nothing is deleted: the owner still reads balance and ledger, and the key is revoked.
    const ledger = yield* CreditLedger
    const statement = yield* ledger.statement(
      { organization_id: id, environment: "test" },
      { limit: 10, cursor: undefined }
    )
    assert.deepStrictEqual([statement.balance, statement.entries.items.length], [1_000, 1])
    assert.isDefined((yield* (yield* ApiKeys).get(key.id)).revoked_at)
    const actions = (yield* auditTrail)
      .filter(({ actor }) => actor === "service")
      .map(({ action, subject }) => [action, subject])
    assert.deepStrictEqual(actions, [
      ["organization.suspended", id],
      ["organization.closed", id]
    ])
  }).pipe(Effect.provide(withMail))
)
