/** Conformance suite of the port `CreditLedger`, also with concurrent requests. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import {
  type Charge,
  type ChargeReceipt,
  type CreditAccount,
  type GrantLowered,
  idempotencyRetention_ms
} from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { InsufficientCredits } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, type Layer } from "effect"
import { dies, failsWith } from "../../fixtures/Failures.ts"
import { checkPaging } from "../../fixtures/Paging.ts"
import { nextTimestamp, storedKey, unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"
import { addCorrectionTests } from "./CorrectionSuite.ts"
import { entriesOf, openAccount } from "./CreditAccounts.ts"
import { addCreditDayTests } from "./CreditDaysSuite.ts"
import { addLedgerModelTests } from "./CreditLedgerModel.ts"
import { addDailyLimitTests } from "./DailyLimitSuite.ts"
import { addKeyChainTests } from "./KeyChainSuite.ts"
import { addEntryTests } from "./LedgerEntriesSuite.ts"
import { addSuspensionTests } from "./SuspensionSuite.ts"

/** The ports that a ledger is tested with. */
export type LedgerPorts = CreditLedger | ApiKeys | Organizations
type It = Vitest.MethodsNonLive<LedgerPorts>

/** Registers the tests of the port `CreditLedger`. */
export const creditLedgerSuite = <E>(
  name: string,
  adapter: Layer.Layer<LedgerPorts, E>,
  options: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`CreditLedger ${name}`, (it) => {
    addGrantTests(it)
    addCorrectionTests(it)
    addChargeTests(it)
    addKeyTests(it)
    addLevelTests(it)
    addVerificationTests(it)
    addSuspensionTests(it)
    addIdempotencyTests(it)
    addRetentionTests(it, options)
    addRaceTests(it)
    addMixedRaceTests(it)
    addStatementTests(it)
    addLedgerModelTests(it)
    addDailyLimitTests(it, options)
    addKeyChainTests(it, options)
    addEntryTests(it)
    addCreditDayTests(it, options)
  })

const addGrantTests = (it: It): void => {
  it.effect("a grant adds its amount as one entry, and returns the entry's id and the new balance", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      const reference = unique("invoice")
      const receipt = yield* ledger.grant({ ...account, amount: 250, reference })
      assert.deepInclude(receipt, { balance: 260, repeated: false })
      const [entry] = yield* entriesOf(account)
      assert.deepInclude(entry, {
        id: receipt.entry_id,
        amount: 250,
        reason: "grant",
        reference,
        balance_after: 260
      })
    })
  )

  it.effect("the same reference again returns the first receipt, as repeated, and adds nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(0)
      const grant = { ...account, amount: 50, reference: unique("invoice") }
      const receipt = yield* ledger.grant(grant)
      yield* ledger.charge(charge(20))
      const again = { ...receipt, repeated: true }
      assert.deepStrictEqual([yield* ledger.grant(grant), yield* ledger.grant(grant)], [again, again])
      assert.strictEqual(yield* balanceOf(account), 30)
    })
  )

  it.effect("the same reference for another amount is a conflict and adds nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(0)
      const grant = { ...account, amount: 50, reference: unique("invoice") }
      yield* ledger.grant(grant)
      yield* failsWith(ledger.grant({ ...grant, amount: 51 }), "Conflict")
      assert.strictEqual(yield* balanceOf(account), 50)
    })
  )

  it.effect("references are separate for each balance, and independent of openings and charges", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(5)
      const { account: other } = yield* openAccount(5)
      const reference = account.organization_id
      yield* ledger.charge({ ...charge(1), request_id: reference })
      yield* ledger.grant({ ...account, amount: 1, reference })
      yield* ledger.grant({ ...account, environment: "live", amount: 2, reference })
      yield* ledger.grant({ ...other, amount: 3, reference })
      assert.strictEqual(yield* balanceOf(account), 5)
      assert.strictEqual(yield* balanceOf({ ...account, environment: "live" }), 2)
      assert.strictEqual(yield* balanceOf(other), 8)
    })
  )

  it.effect("a grant to an unknown organization fails", () =>
    Effect.gen(function* () {
      const account = { organization_id: unique("org"), environment: "test" } as const
      const grant = (yield* CreditLedger).grant({ ...account, amount: 50, reference: unique("invoice") })
      yield* failsWith(grant, "NotFound")
    })
  )

  it.effect("an amount that is not a whole number above 0 is a defect and adds nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      for (const amount of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        yield* dies(ledger.grant({ ...account, amount, reference: unique("invoice") }))
      }
      assert.strictEqual(yield* balanceOf(account), 10)
    })
  )
}

const addChargeTests = (it: It): void => {
  it.effect("a charge takes its amount as one entry, and returns the remaining balance", () =>
    Effect.gen(function* () {
      const { account, charge } = yield* openAccount(10)
      const charged = { ...charge(3), reason: "lookup_batch" } as const
      assert.deepStrictEqual(yield* (yield* CreditLedger).charge(charged), { charged: 3, balance: 7 })
      const [entry, opening, ...others] = yield* entriesOf(account)
      assert.deepInclude(entry, {
        amount: -3,
        reason: "lookup_batch",
        reference: charged.request_id,
        balance_after: 7
      })
      assert.strictEqual(opening?.reason, "opening")
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect("the whole balance can be charged, but not one credit more", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const error: InsufficientCredits = yield* failsWith(ledger.charge(charge(11)), "InsufficientCredits")
      assert.deepInclude(error, { required: 11, balance: 10 })
      assert.deepStrictEqual(yield* ledger.charge(charge(10)), { charged: 10, balance: 0 })
      yield* failsWith(ledger.charge(charge(1)), "InsufficientCredits")
      assert.strictEqual((yield* entriesOf(account)).length, 2, "a charge that fails writes no entry")
    })
  )

  it.effect("an amount of 0 adds no entry and returns the balance, also if it is 0", () =>
    Effect.gen(function* () {
      for (const opening of [10, 0]) {
        const { account, charge } = yield* openAccount(opening)
        const before = yield* entriesOf(account)
        const receipt = yield* (yield* CreditLedger).charge(charge(0))
        assert.deepStrictEqual(receipt, { charged: 0, balance: opening })
        assert.deepStrictEqual(yield* entriesOf(account), before)
      }
    })
  )

  it.effect("equal request ids are two charges", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const once = charge(2)
      yield* ledger.charge(once)
      assert.deepStrictEqual(yield* ledger.charge(once), { charged: 2, balance: 6 })
      assert.strictEqual((yield* entriesOf(account)).length, 3)
    })
  )

  it.effect("test and live balances are separate", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(5, { environment: "live" })
      yield* ledger.grant({ ...account, environment: "test", amount: 100, reference: unique("invoice") })
      yield* failsWith(ledger.charge(charge(6)), "InsufficientCredits")
      yield* ledger.charge(charge(4))
      assert.strictEqual(yield* balanceOf(account), 1)
      assert.strictEqual(yield* balanceOf({ ...account, environment: "test" }), 100)
    })
  )

  it.effect("an amount that is negative or not a whole number is a defect and takes nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      for (const amount of [-1, 0.5, Number.NaN, Number.NEGATIVE_INFINITY]) yield* dies(ledger.charge(charge(amount)))
      assert.strictEqual(yield* balanceOf(account), 10)
      assert.strictEqual((yield* entriesOf(account)).length, 1)
    })
  )
}

const addKeyTests = (it: It): void => {
  it.effect("a key that is revoked, unknown, or of another balance cannot charge, not even 0", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, key_id } = yield* openAccount(10)
      const stranger = yield* openAccount(10)
      const live = yield* storedKey(account.organization_id, { environment: "live" })
      const refused = [unique("key"), stranger.key_id, live.record.id]
      yield* (yield* ApiKeys).revoke(key_id, nextTimestamp())
      for (const key_id of [charge(0).key_id, ...refused]) {
        for (const amount of [0, 1]) {
          yield* failsWith(ledger.charge({ ...charge(amount), key_id }), "InvalidApiKey")
          const idempotency = { key: unique("idem"), fingerprint: "lookup 2" }
          yield* failsWith(ledger.charge({ ...charge(amount), key_id, idempotency }), "InvalidApiKey")
        }
      }
      assert.strictEqual(yield* balanceOf(account), 10)
      assert.strictEqual((yield* entriesOf(account)).length, 1)
    })
  )
}

const addLevelTests = (it: It): void => {
  it.effect("a level above the current grant takes nothing, and the error contains the grant", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const at = (level: AccessLevel, amount = 1): Charge => ({ ...charge(amount), level })
      assert.deepStrictEqual(yield* ledger.charge(at(3)), { charged: 1, balance: 9 })
      for (const granted_level of [2, 1] as const) {
        yield* (yield* Organizations).update(account.organization_id, { granted_level })
        for (const amount of [0, 1, 100]) {
          const error: GrantLowered = yield* failsWith(ledger.charge(at(3, amount)), "GrantLowered")
          assert.strictEqual(error.granted_level, granted_level)
        }
        assert.deepStrictEqual(yield* ledger.charge(at(granted_level, 0)), { charged: 0, balance: 9 })
      }
      assert.deepStrictEqual(yield* ledger.charge(charge(1)), { charged: 1, balance: 8 }, "a charge for no level")
      yield* (yield* Organizations).update(account.organization_id, { granted_level: 5 })
      assert.deepStrictEqual(yield* ledger.charge(at(5)), { charged: 1, balance: 7 })
      assert.strictEqual((yield* entriesOf(account)).length, 4)
    })
  )

  it.effect("a charge above the grant leaves its idempotency key unused, and a revoked key fails first", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge, key_id } = yield* openAccount(10)
      const key = unique("idem")
      const high = { ...charge(5), level: 4, idempotency: { key, fingerprint: "high" } } as const
      yield* failsWith(ledger.charge(high), "GrantLowered")
      const low = { ...charge(1), level: 3, idempotency: { key, fingerprint: "low" } } as const
      assert.deepStrictEqual(yield* ledger.charge(low), { charged: 1, balance: 9 })
      yield* (yield* ApiKeys).revoke(key_id, nextTimestamp())
      yield* failsWith(ledger.charge(high), "InvalidApiKey")
    })
  )

  it.effect("charges while the grant is lowered: none at the higher level after that", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(1_000)
      let lowered = false
      let paid = 0
      const paying = Effect.gen(function* () {
        const late = lowered
        const result = yield* Effect.result(ledger.charge({ ...charge(1), level: 3 }))
        if (result._tag === "Success") paid++
        else assert.deepInclude(result.failure, { _tag: "GrantLowered", granted_level: 2 })
        assert.isFalse(late && result._tag === "Success", "charged after the grant was lowered")
        yield* Effect.yieldNow
      })
      const lowering = Effect.gen(function* () {
        yield* Effect.yieldNow
        yield* (yield* Organizations).update(account.organization_id, { granted_level: 2 })
        lowered = true
        return yield* balanceOf(account)
      })
      const payers = Array.from({ length: 40 }, () => Effect.replicateEffect(paying, 5))
      const [balance] = yield* Effect.all([lowering, Effect.all(payers, atOnce)], atOnce)
      assert.strictEqual(balance, 1_000 - paid, "a charge came after the grant was lowered")
      yield* checkEntries(account, 1_000 - paid, 1 + paid)
    })
  )
}

const addVerificationTests = (it: It): void => {
  it.effect("a live charge needs a currently verified organization, at any amount; a test charge does not", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const organizations = yield* Organizations
      const live = yield* openAccount(10, { environment: "live" })
      const test = yield* openAccount(10)
      const key = { key: unique("idem"), fingerprint: "same" }
      const paid = { ...live.charge(3), idempotency: key }
      assert.deepStrictEqual(yield* ledger.charge(paid), { charged: 3, balance: 7 })
      for (const kyb_status of ["unverified", "pending", "rejected"] as const) {
        for (const { organization_id } of [live.account, test.account]) {
          yield* organizations.update(organization_id, { kyb_status })
        }
        for (const charge of [
          live.charge(0),
          live.charge(1),
          live.charge(100),
          paid,
          { ...live.charge(1), level: 5 }
        ]) {
          yield* failsWith(ledger.charge(charge as Charge), "KybRequired")
        }
        assert.propertyVal(yield* ledger.charge(test.charge(1)), "charged", 1)
      }
      yield* organizations.update(live.account.organization_id, { kyb_status: "verified" })
      assert.deepStrictEqual(yield* ledger.charge(live.charge(1)), { charged: 1, balance: 6 })
      assert.strictEqual((yield* entriesOf(live.account)).length, 3)
      yield* organizations.update(live.account.organization_id, { kyb_status: "rejected" })
      yield* (yield* ApiKeys).revoke(live.key_id, nextTimestamp())
      yield* failsWith(ledger.charge(live.charge(1)), "InvalidApiKey")
    })
  )

  it.effect("live charges while verification is withdrawn: none after that", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(1_000, { environment: "live" })
      let withdrawn = false
      let paid = 0
      const paying = Effect.gen(function* () {
        const late = withdrawn
        const result = yield* Effect.result(ledger.charge(charge(1)))
        if (result._tag === "Success") paid++
        else assert.strictEqual(result.failure._tag, "KybRequired")
        assert.isFalse(late && result._tag === "Success", "charged after verification was withdrawn")
        yield* Effect.yieldNow
      })
      const withdrawing = Effect.gen(function* () {
        yield* Effect.yieldNow
        yield* (yield* Organizations).update(account.organization_id, { kyb_status: "rejected" })
        withdrawn = true
        return yield* balanceOf(account)
      })
      const payers = Array.from({ length: 40 }, () => Effect.replicateEffect(paying, 5))
      const [balance] = yield* Effect.all([withdrawing, Effect.all(payers, atOnce)], atOnce)
      assert.strictEqual(balance, 1_000 - paid, "a charge came after verification was withdrawn")
      yield* checkEntries(account, 1_000 - paid, 1 + paid)
    })
  )
}

const addIdempotencyTests = (it: It): void => {
  it.effect("repeating a request charges only the due credits", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const idempotency = { key: unique("idem"), fingerprint: "lookup 2 LA-12-A03-BG-07" }
      const receipts: Array<ChargeReceipt> = []
      for (const amount of [3, 3, 1, 0, 5, 4, 5])
        receipts.push(yield* ledger.charge({ ...charge(amount), idempotency }))
      assert.deepStrictEqual(receipts, [
        { charged: 3, balance: 7 },
        { charged: 0, balance: 7 },
        { charged: 0, balance: 7 },
        { charged: 0, balance: 7 },
        { charged: 2, balance: 5 },
        { charged: 0, balance: 5 },
        { charged: 0, balance: 5 }
      ])
      assert.deepStrictEqual(
        (yield* entriesOf(account)).map(({ amount }) => amount),
        [-2, -3, 10]
      )
    })
  )

  it.effect("a free request also has an idempotency record", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge } = yield* openAccount(10)
      const idempotency = { key: unique("idem"), fingerprint: "lookup 2 LA-12-A03-BG-07" }
      yield* ledger.charge({ ...charge(0), idempotency })
      const other = { ...idempotency, fingerprint: "lookup 2 LA-12-A03-BG-08" }
      yield* failsWith(ledger.charge({ ...charge(0), idempotency: other }), "IdempotencyKeyReused")
      const paid = ledger.charge({ ...charge(2), idempotency })
      assert.deepStrictEqual(yield* paid, { charged: 2, balance: 8 })
      assert.deepStrictEqual(yield* paid, { charged: 0, balance: 8 })
    })
  )

  it.effect("another request under the same idempotency key is refused and changes nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const idempotency = { key: unique("idem"), fingerprint: "lookup 2 LA-12-A03-BG-07" }
      yield* ledger.charge({ ...charge(1), idempotency })
      for (const fingerprint of ["lookup 3 LA-12-A03-BG-07", "lookup 2 LA-12-A03-BG-0", ""]) {
        const other = { ...charge(1), idempotency: { ...idempotency, fingerprint } }
        yield* failsWith(ledger.charge(other), "IdempotencyKeyReused")
      }
      assert.strictEqual(yield* balanceOf(account), 9)
      assert.deepStrictEqual(yield* ledger.charge({ ...charge(1), idempotency }), { charged: 0, balance: 9 })
    })
  )

  it.effect("idempotency keys are separate for each API key", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const second = yield* storedKey(account.organization_id)
      const key = unique("idem")
      yield* ledger.charge({ ...charge(1), idempotency: { key, fingerprint: "lookup 2" } })
      const elsewhere = { ...charge(2), key_id: second.record.id, idempotency: { key, fingerprint: "lookup 3" } }
      assert.deepStrictEqual(yield* ledger.charge(elsewhere), { charged: 2, balance: 7 })
    })
  )

  it.effect("a charge that fails leaves its idempotency key unused", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge } = yield* openAccount(10)
      const key = unique("idem")
      const large = { ...charge(11), idempotency: { key, fingerprint: "large" } }
      yield* failsWith(ledger.charge(large), "InsufficientCredits")
      const small = { ...charge(4), idempotency: { key, fingerprint: "small" } }
      assert.deepStrictEqual(yield* ledger.charge(small), { charged: 4, balance: 6 })
    })
  )

  it.effect("the due credits must be in the balance; if not, the first payment stays", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge } = yield* openAccount(10)
      const idempotency = { key: unique("idem"), fingerprint: "batch" }
      yield* ledger.charge({ ...charge(8), idempotency })
      const more = ledger.charge({ ...charge(11), idempotency })
      const error: InsufficientCredits = yield* failsWith(more, "InsufficientCredits")
      assert.deepInclude(error, { required: 3, balance: 2 })
      assert.deepStrictEqual(yield* ledger.charge({ ...charge(10), idempotency }), { charged: 2, balance: 0 })
    })
  )
}

const addRetentionTests = (it: It, { advance }: SuiteOptions): void => {
  const almost_ms = idempotencyRetention_ms - 60_000

  if (advance === undefined) {
    it.effect("an idempotency key stays valid while others are added", () =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const { charge } = yield* openAccount(500)
        const keys = Array.from({ length: 200 }, () => ({ key: unique("idem"), fingerprint: "lookup 2" }))
        yield* Effect.forEach(keys, (idempotency) => ledger.charge({ ...charge(1), idempotency }))
        const again = yield* Effect.forEach(keys, (idempotency) => ledger.charge({ ...charge(1), idempotency }))
        assert.deepStrictEqual(again, Array(200).fill({ charged: 0, balance: 300 }))
      })
    )
    return
  }

  it.effect("an idempotency key is valid for 24 hours from its first charge, and can be reused afterwards", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge } = yield* openAccount(10)
      const idempotency = { key: unique("idem"), fingerprint: "lookup 2" }
      const again = ledger.charge({ ...charge(1), idempotency })
      yield* again
      yield* advance(almost_ms)
      assert.deepStrictEqual(yield* again, { charged: 0, balance: 9 })
      const other = ledger.charge({ ...charge(3), idempotency: { ...idempotency, fingerprint: "lookup 4" } })
      yield* failsWith(other, "IdempotencyKeyReused")
      yield* advance(idempotencyRetention_ms - almost_ms)
      assert.deepStrictEqual(yield* other, { charged: 3, balance: 6 })
      assert.deepStrictEqual(yield* other, { charged: 0, balance: 6 })
      yield* failsWith(again, "IdempotencyKeyReused")
    })
  )

  it.effect("each of many idempotency keys expires separately", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge } = yield* openAccount(100)
      const keys = Array.from({ length: 24 }, () => ({ key: unique("idem"), fingerprint: "lookup 2" }))
      const chargeAll = Effect.forEach(keys, (idempotency) => ledger.charge({ ...charge(1), idempotency }))
      for (const idempotency of keys) {
        yield* ledger.charge({ ...charge(1), idempotency })
        yield* advance(3_600_000)
      }
      yield* advance(11.5 * 3_600_000)
      const charged = (yield* chargeAll).map((receipt) => receipt.charged)
      assert.deepStrictEqual(charged, [...Array(12).fill(1), ...Array(12).fill(0)])
    })
  )
}

const atOnce = { concurrency: "unbounded" } as const

const addRaceTests = (it: It): void => {
  it.effect("200 concurrent charges of 1 on 40 credits: 40 succeed, and the balance is 0", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(40)
      const charges = Array.from({ length: 200 }, () => Effect.result(ledger.charge(charge(1))))
      const results = yield* Effect.all(charges, atOnce)
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
      assert.deepStrictEqual(failures, Array(160).fill("InsufficientCredits"))
      const left = results.flatMap((result) => (result._tag === "Success" ? [result.success.balance] : []))
      assert.sameMembers(left, [...Array(40).keys()], "each charge left another balance")
      yield* checkEntries(account, 0, 41)
    })
  )

  it.effect("30 concurrent charges under one idempotency key are one charge", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(100)
      const idempotency = { key: unique("idem"), fingerprint: "lookup 4" }
      const charges = Array.from({ length: 30 }, () => ledger.charge({ ...charge(3), idempotency }))
      const receipts = yield* Effect.all(charges, atOnce)
      assert.sameMembers(
        receipts.map(({ charged }) => charged),
        [3, ...Array(29).fill(0)]
      )
      yield* checkEntries(account, 97, 2)
    })
  )

  it.effect("of two concurrent requests under one idempotency key one is refused, also when repeated", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(100)
      const key = unique("idem")
      const charges = Array.from({ length: 30 }, (_, i) =>
        Effect.result(ledger.charge({ ...charge(3), idempotency: { key, fingerprint: `lookup ${i % 2}` } }))
      )
      const results = yield* Effect.all(charges, atOnce)
      const even = results.filter((result, i) => i % 2 === 0 && result._tag === "Success").length
      const odd = results.filter((result, i) => i % 2 === 1 && result._tag === "Success").length
      assert.sameMembers([even, odd], [15, 0])
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
      assert.deepStrictEqual(failures, Array(15).fill("IdempotencyKeyReused"))
      yield* checkEntries(account, 97, 2)
    })
  )
}

const addMixedRaceTests = (it: It): void => {
  it.effect("equal concurrent grants are one entry with one receipt, and all but one are repeated", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(0)
      const grant = { ...account, amount: 500, reference: unique("invoice") }
      const receipts = yield* Effect.all(
        Array.from({ length: 30 }, () => ledger.grant(grant)),
        atOnce
      )
      const first = receipts.find(({ repeated }) => !repeated)
      assert.sameDeepMembers(receipts, [first, ...Array(29).fill({ ...first, repeated: true })])
      yield* checkEntries(account, 500, 1)
    })
  )

  it.effect("concurrent charges of a key that is revoked: each is charged and has its entry, or neither", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, key_id } = yield* openAccount(1_000)
      let revoked = false
      let paid = 0
      const paying = Effect.gen(function* () {
        const late = revoked
        const result = yield* Effect.result(ledger.charge(charge(1)))
        if (result._tag === "Success") paid++
        else assert.strictEqual(result.failure._tag, "InvalidApiKey")
        assert.isFalse(late && result._tag === "Success", "charged after the revocation was done")
        yield* Effect.yieldNow
      })
      const revoking = Effect.gen(function* () {
        yield* Effect.yieldNow
        yield* (yield* ApiKeys).revoke(key_id, nextTimestamp())
        revoked = true
        return yield* balanceOf(account)
      })
      const payers = Array.from({ length: 40 }, () => Effect.replicateEffect(paying, 5))
      const [balance] = yield* Effect.all([revoking, Effect.all(payers, atOnce)], atOnce)
      assert.strictEqual(balance, 1_000 - paid, "a charge came after the revocation")
      yield* checkEntries(account, 1_000 - paid, 1 + paid)
    })
  )

  it.effect("concurrent grants and charges add up", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(50)
      const grants = Array.from({ length: 50 }, () =>
        ledger.grant({ ...account, amount: 2, reference: unique("invoice") })
      )
      const charges = Array.from({ length: 150 }, () => Effect.result(ledger.charge(charge(2))))
      const [, results] = yield* Effect.all([Effect.all(grants, atOnce), Effect.all(charges, atOnce)], atOnce)
      const paid = results.filter(({ _tag }) => _tag === "Success").length
      yield* checkEntries(account, 50 + 100 - 2 * paid, 1 + 50 + paid)
    })
  )
}

const addStatementTests = (it: It): void => {
  it.effect("a statement is paged, newest first", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      yield* Effect.forEach([1, 2, 3, 1], (amount) => ledger.charge(charge(amount)))
      const ids = (yield* entriesOf(account)).map(({ id }) => id).reverse()
      assert.strictEqual(new Set(ids).size, 5)
      yield* checkPaging({
        list: (page) => Effect.map(ledger.statement(account, page), ({ entries }) => entries),
        idOf: ({ id }) => id,
        ids,
        isPrivate: true,
        add: ledger.grant({ ...account, amount: 1, reference: unique("invoice") })
      })
    })
  )

  it.effect("entries contain their creation time, in UTC", () =>
    Effect.gen(function* () {
      const { account, charge } = yield* openAccount(10)
      yield* (yield* CreditLedger).charge(charge(1))
      const times = (yield* entriesOf(account)).map(({ created_at }) => created_at)
      for (const time of times) assert.strictEqual(new Date(time).toISOString(), time)
      assert.deepStrictEqual(times, [...times].sort().reverse())
    })
  )

  it.effect("an unknown organization has no statement", () =>
    Effect.gen(function* () {
      const account = { organization_id: unique("org"), environment: "test" } as const
      yield* failsWith((yield* CreditLedger).statement(account, { limit: 20, cursor: undefined }), "NotFound")
    })
  )
}

const balanceOf = (account: CreditAccount) =>
  Effect.flatMap(CreditLedger, (ledger) =>
    Effect.map(ledger.statement(account, { limit: 1, cursor: undefined }), ({ balance }) => balance)
  )

/** Checks the balance, that it is the sum of this number of entries, and that it was never negative. */
const checkEntries = Effect.fnUntraced(function* (account: CreditAccount, balance: number, count: number) {
  const entries = yield* entriesOf(account)
  assert.strictEqual(entries.length, count)
  assert.strictEqual(yield* balanceOf(account), balance)
  let sum = 0
  for (const entry of [...entries].reverse()) {
    sum += entry.amount
    assert.strictEqual(entry.balance_after, sum)
    assert.isAtLeast(sum, 0)
  }
  assert.strictEqual(sum, balance)
})
