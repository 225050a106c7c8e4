/**
 * Charges of a key and its successors, which share daily limit and idempotency records: a part of the suite of the port
 * `CreditLedger`.
 */
import { assert, type Vitest } from "@effect/vitest"
import type { Charge } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { type ApiKeyRecord, chainOf } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Schema } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { inOneDay } from "../../fixtures/InOneDay.ts"
import { readAll } from "../../fixtures/Paging.ts"
import { newKey, nextTimestamp, unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"
import { openAccount } from "./CreditAccounts.ts"

type It = Vitest.MethodsNonLive<CreditLedger | ApiKeys | Organizations>

/** Tests of chains of three keys, all of them active. */
export const addKeyChainTests = (it: It, options: SuiteOptions): void => {
  addLimitTests(it, options)
  addRepetitionTests(it, options)
  addRaceTests(it, options)
}

const addLimitTests = (it: It, options: SuiteOptions): void => {
  it.effect("the keys of a chain charge up to their daily limit together, and each shows the sum", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charges, counts, organization_id } = yield* openChain(100, { daily_credit_limit: 10 })
      const other = yield* openAccount(100, { daily_credit_limit: 10 })
      for (const [i, charge] of charges.entries()) yield* ledger.charge(charge(2 + i))
      for (const charge of charges) yield* failsWith(ledger.charge(charge(2)), "DailyLimitReached")
      assert.deepStrictEqual(yield* counts, [9, 9, 9])
      yield* ledger.charge(other.charge(10))
      yield* (yield* ApiKeys).revoke(charges[0](0).key_id, nextTimestamp())
      yield* ledger.charge(charges[1](1))
      assert.deepStrictEqual(yield* counts, [10, 10, 10])
      assert.notStrictEqual(other.account.organization_id, organization_id)
    })
  )

  it.effect("each key of a chain has its own limit for what the chain has charged", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charges } = yield* openChain(100, { daily_credit_limit: 10 })
      const [first, second, third] = charges
      yield* ledger.charge(first(6))
      const keys = yield* ApiKeys
      yield* keys.update(second(0).key_id, { daily_credit_limit: 5 }, nextTimestamp())
      yield* keys.update(third(0).key_id, { daily_credit_limit: 12 }, nextTimestamp())
      yield* failsWith(ledger.charge(second(1)), "DailyLimitReached")
      yield* ledger.charge(third(6))
      for (const charge of charges) yield* failsWith(ledger.charge(charge(1)), "DailyLimitReached")
    })
  )
}

const addRepetitionTests = (it: It, options: SuiteOptions): void => {
  it.effect("an idempotency key is that of the whole chain: repetitions by another of its keys are free", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charges } = yield* openChain(100, { daily_credit_limit: 10 })
      const idempotency = { key: unique("idem"), fingerprint: "batch" }
      const [first, second, third] = charges
      assert.deepStrictEqual(yield* ledger.charge(second(4, { idempotency })), { charged: 4, balance: 96 })
      for (const charge of charges) {
        assert.deepStrictEqual(yield* ledger.charge(charge(4, { idempotency })), { charged: 0, balance: 96 })
      }
      assert.deepStrictEqual(yield* ledger.charge(third(6, { idempotency })), { charged: 2, balance: 94 })
      assert.deepStrictEqual(yield* ledger.charge(first(6, { idempotency })), { charged: 0, balance: 94 })
      const others = { idempotency: { ...idempotency, fingerprint: "another" } }
      for (const charge of charges) yield* failsWith(ledger.charge(charge(1, others)), "IdempotencyKeyReused")
      // The same value of a key that is not of the chain is another record.
      const other = yield* openAccount(100)
      assert.deepStrictEqual(yield* ledger.charge(other.charge(1, others)), { charged: 1, balance: 99 })
    })
  )
}

const few = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Asked = Schema.Struct({ link: few(2), amount: few(5), idempotency: few(4) })

const addRaceTests = (it: It, options: SuiteOptions): void => {
  it.effect.prop(
    "concurrent random charges of a chain never exceed its limit, and the count equals the charges",
    [few(20), Schema.Array(Asked).check(Schema.isMaxLength(60))],
    ([limit, asked]) =>
      Effect.gen(function* () {
        yield* awayFromMidnight(options)
        const ledger = yield* CreditLedger
        const daily_credit_limit = 1 + limit
        const { charges, counts } = yield* openChain(1_000, { daily_credit_limit })
        const name = unique("idem")
        const paid = new Map<number, number>()
        let charged = 0
        const pay = ({ amount, idempotency, link }: typeof Asked.Type) =>
          Effect.gen(function* () {
            const repeatable = { idempotency: { key: `${name} ${idempotency}`, fingerprint: "one" } }
            const charge = charges[link as 0 | 1 | 2](amount, idempotency < 4 ? repeatable : {})
            const result = yield* Effect.result(ledger.charge(charge))
            if (result._tag === "Failure") return
            charged += result.success.charged
            paid.set(idempotency, Math.max(paid.get(idempotency) ?? 0, amount))
          })
        yield* Effect.all(asked.map(pay), { concurrency: "unbounded" })
        assert.isAtMost(charged, daily_credit_limit)
        assert.deepStrictEqual(yield* counts, [charged, charged, charged])
        const once = [0, 1, 2, 3].reduce((sum, value) => sum + (paid.get(value) ?? 0), 0)
        if (!asked.some(({ idempotency }) => idempotency === 4)) assert.strictEqual(charged, once)
      }),
    { arbitrary: { runs: 40, size: 60, seed: 20261128 } }
  )
}

type MakeCharge = (amount: number, fields?: Partial<Charge>) => Charge

/** A balance with a key and two successors: functions that charge them, and what each shows for today, oldest first. */
const openChain = Effect.fnUntraced(function* (opening: number, fields: Partial<ApiKeyRecord>) {
  const keys = yield* ApiKeys
  const { account, charge, key_id } = yield* openAccount(opening, fields)
  const { organization_id } = account
  const ids = [key_id]
  for (let link = 1; link < 3; link++) {
    const at = nextTimestamp()
    const old = yield* keys.get(ids.at(-1) ?? "")
    const successor = newKey(organization_id, { ...fields, created_at: at, replaces: old.id, chain_id: chainOf(old) })
    yield* keys.rotate({ id: old.id, at, expires_at: "2100-01-01T00:00:00.000Z", successor, hash: unique("hash") })
    ids.push(successor.id)
  }
  const charges = ids.map(
    (key_id): MakeCharge =>
      (amount, fields = {}) =>
        charge(amount, { key_id, ...fields })
  ) as [MakeCharge, MakeCharge, MakeCharge]
  const listed = readAll((page) => keys.list(organization_id, page))
  const counts = Effect.map(listed, (all) => all.map(({ credits_today }) => credits_today))
  return { charges, counts, organization_id }
})

/** Ensures that a test does not run over midnight, if its clock runs. */
const awayFromMidnight = ({ advance }: SuiteOptions) => (advance === undefined ? inOneDay : Effect.void)
