/** Charges of suspended organizations: a part of the suite of the port `CreditLedger`. */
import { assert, type Vitest } from "@effect/vitest"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { organizationSuspended } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { type OrganizationStatus, organizationClosed } from "@postcode/gateway/organizations/Organization"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { nextTimestamp, unique } from "../../fixtures/Records.ts"
import { entriesOf, openAccount } from "./CreditAccounts.ts"

type Suite = Vitest.MethodsNonLive<CreditLedger | ApiKeys | Organizations>

/** Tests of charges while an organization is suspended, resumed and closed. */
export const addSuspensionTests = (it: Suite): void => {
  addClosedTests(it)
  it.effect(
    "no charge of a suspended organization is made, at any amount, in both environments, until it is resumed",
    () =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        for (const environment of ["test", "live"] as const) {
          const { account, charge } = yield* openAccount(10, { environment })
          const { organization_id } = account
          const idempotency = { key: unique("idem"), fingerprint: "same" }
          const paid = { ...charge(3), idempotency }
          assert.deepStrictEqual(yield* ledger.charge(paid), { charged: 3, balance: 7 })
          yield* changeTo(organization_id, "suspended")
          for (const refused of [charge(0), charge(1), charge(100), paid, { ...charge(1), level: 5 as const }]) {
            const { message } = yield* failsWith(ledger.charge(refused), "OrganizationSuspended")
            assert.strictEqual(message, organizationSuspended.message)
          }
          yield* changeTo(organization_id, "active")
          assert.deepStrictEqual(yield* ledger.charge(paid), { charged: 0, balance: 7 })
          assert.deepStrictEqual(yield* ledger.charge(charge(1)), { charged: 1, balance: 6 })
          assert.strictEqual((yield* entriesOf(account)).length, 3)
        }
      })
  )

  it.effect("a revoked key of a suspended organization is unknown, and so is every key of a closed one", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, key_id } = yield* openAccount(10)
      const other = yield* openAccount(10)
      for (const { organization_id } of [account, other.account]) yield* changeTo(organization_id, "suspended")
      yield* (yield* ApiKeys).revoke(key_id, nextTimestamp())
      yield* failsWith(ledger.charge(charge(1)), "InvalidApiKey")
      yield* changeTo(other.account.organization_id, "closed")
      yield* failsWith(ledger.charge(other.charge(1)), "InvalidApiKey")
    })
  )

  it.effect("a suspended organization can still get credits", () =>
    Effect.gen(function* () {
      const { account } = yield* openAccount(10)
      yield* changeTo(account.organization_id, "suspended")
      const grant = { ...account, amount: 5, reference: unique("invoice") }
      assert.deepInclude(yield* (yield* CreditLedger).grant(grant), { balance: 15 })
    })
  )

  it.effect("charges while an organization is suspended and resumed: none in between", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(1_000)
      let isSuspended = false
      const paying = Effect.gen(function* () {
        const late = isSuspended
        const result = yield* Effect.result(ledger.charge(charge(1)))
        if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "OrganizationSuspended")
        assert.isFalse(late && isSuspended && result._tag === "Success", "charged while suspended")
        yield* Effect.yieldNow
        return result._tag === "Success"
      })
      const suspending = Effect.gen(function* () {
        for (let round = 0; round < 5; round++) {
          yield* Effect.yieldNow
          yield* changeTo(account.organization_id, "suspended")
          isSuspended = true
          const { length } = yield* entriesOf(account)
          for (let i = 0; i < 20; i++) yield* Effect.yieldNow
          assert.strictEqual((yield* entriesOf(account)).length, length, "an entry was written while suspended")
          isSuspended = false
          yield* changeTo(account.organization_id, "active")
        }
      })
      const payers = Array.from({ length: 40 }, () => Effect.replicateEffect(paying, 5))
      const [paid] = yield* Effect.all([Effect.all(payers, atOnce), suspending], atOnce)
      const charged = paid.flat().filter(Boolean).length
      assert.strictEqual((yield* entriesOf(account)).length, 1 + charged)
    })
  )
}

const addClosedTests = (it: Suite): void => {
  it.effect("a closed organization gets no credits, but a grant that it has is confirmed again", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      const grant = { ...account, amount: 5, reference: unique("invoice") }
      const receipt = yield* ledger.grant(grant)
      yield* changeTo(account.organization_id, "suspended")
      yield* changeTo(account.organization_id, "closed")
      const refused = yield* failsWith(ledger.grant({ ...grant, reference: unique("invoice") }), "Conflict")
      assert.strictEqual(refused.message, organizationClosed.message)
      assert.deepStrictEqual(yield* ledger.grant(grant), { ...receipt, repeated: true })
      assert.strictEqual((yield* entriesOf(account)).length, 2)
    })
  )
}

const atOnce = { concurrency: "unbounded" } as const

const changeTo = (id: string, status: OrganizationStatus) =>
  Effect.flatMap(Organizations, ({ changeStatus }) =>
    Effect.orDie(changeStatus(id, { status, status_reason: "for a test", status_changed_at: nextTimestamp() }))
  )
