/** Charges of keys with an expiry or a daily limit: a part of the suite of the port `CreditLedger`. */
import { assert, type Vitest } from "@effect/vitest"
import type { CreditAccount } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { type DailyLimitReached, keyExpired, type PriceAboveDailyLimit } from "@postcode/gateway/Errors"
import type { ApiKeyRecord } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Schema } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { inOneDay } from "../../fixtures/InOneDay.ts"
import { readAll } from "../../fixtures/Paging.ts"
import { storedKey, storedOrganization, unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"
import { entriesOf, openAccount } from "./CreditAccounts.ts"

type It = Vitest.MethodsNonLive<CreditLedger | ApiKeys | Organizations>

/** Tests of keys with an expiry or a daily limit. */
export const addDailyLimitTests = (it: It, options: SuiteOptions): void => {
  addExpiryTests(it, options)
  addLimitTests(it, options)
  addRepetitionTests(it, options)
  addDayTests(it, options)
  addRaceTests(it, options)
}

const addExpiryTests = (it: It, { advance }: SuiteOptions): void => {
  it.effect("an expired key cannot charge, not even 0, and fails as expired", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const expires_at = new Date((yield* now) - 1).toISOString()
      const { account, charge } = yield* openLimitedAccount(10, { expires_at })
      for (const amount of [0, 1, 11]) {
        const idempotency = { key: unique("idem"), fingerprint: "lookup 2" }
        for (const fields of [{}, { idempotency }, { level: 5 } as const]) {
          const error = yield* failsWith(ledger.charge(charge(amount, fields)), "InvalidApiKey")
          assert.strictEqual(error.message, keyExpired.message)
        }
      }
      assert.strictEqual(yield* chargedOf(account), 0)
    })
  )

  it.effect("a key can charge until it expires", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      /** A key that expires after this time, and whether it charged before. */
      const payWithin = Effect.fnUntraced(function* (lifetime_ms: number) {
        const end_ms = (yield* now) + lifetime_ms
        const opened = yield* openLimitedAccount(10, { expires_at: new Date(end_ms).toISOString() })
        if (advance !== undefined) yield* advance(lifetime_ms - 1)
        const paid = yield* Effect.result(ledger.charge(opened.charge(1)))
        return { ...opened, lifetime_ms, paid, isLate: (yield* now) >= end_ms }
      })
      let tried = yield* payWithin(advance === undefined ? 500 : 60_000)
      // A busy machine may be too slow for a short lifetime.
      while (tried.isLate && tried.lifetime_ms < 30_000) tried = yield* payWithin(2 * tried.lifetime_ms)
      const { account, charge, lifetime_ms, paid } = tried
      assert.strictEqual(paid._tag, "Success")
      yield* advance === undefined ? Effect.sleep(lifetime_ms) : advance(1)
      yield* failsWith(ledger.charge(charge(1)), "InvalidApiKey")
      assert.strictEqual(yield* chargedOf(account), 1)
    })
  )
}

const addLimitTests = (it: It, options: SuiteOptions): void => {
  it.effect("a key charges up to its daily limit and not one credit more, and the error contains the limit", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, today } = yield* openLimitedAccount(100, { daily_credit_limit: 10 })
      assert.strictEqual(yield* today, 0)
      yield* ledger.charge(charge(7))
      const error: DailyLimitReached = yield* failsWith(ledger.charge(charge(4)), "DailyLimitReached")
      assert.deepInclude(error, { required: 4, limit: 10, balance: 93 })
      assert.isTrue(Number.isInteger(error.retry_after_s), "whole seconds")
      assert.isAtLeast(error.retry_after_s, 1)
      assert.isAtMost(error.retry_after_s, 86_400)
      assert.strictEqual(yield* today, 7)
      // Charges within the rest succeed, and free ones always do.
      assert.deepStrictEqual(yield* ledger.charge(charge(3)), { charged: 3, balance: 90 })
      for (const amount of [1, 10]) yield* failsWith(ledger.charge(charge(amount)), "DailyLimitReached")
      assert.deepStrictEqual(yield* ledger.charge(charge(0)), { charged: 0, balance: 90 })
      assert.strictEqual(yield* today, 10)
      assert.strictEqual(yield* chargedOf(account), 10)
    })
  )

  it.effect(
    "a charge above the whole limit fails on any day, with both numbers; one at the limit only if less is left",
    () =>
      Effect.gen(function* () {
        yield* awayFromMidnight(options)
        const ledger = yield* CreditLedger
        const { account, charge, today } = yield* openLimitedAccount(100, { daily_credit_limit: 10 })
        for (const spent of [0, 1]) {
          if (spent > 0) yield* ledger.charge(charge(spent))
          const error: PriceAboveDailyLimit = yield* failsWith(ledger.charge(charge(11)), "PriceAboveDailyLimit")
          assert.deepInclude(error, { required: 11, limit: 10 })
          for (const number of ["11", "10"]) assert.include(error.message, `${number} credits`)
        }
        const { message, retry_after_s } = yield* failsWith(ledger.charge(charge(10)), "DailyLimitReached")
        assert.include(message, `00:00 UTC, in ${retry_after_s} s`)
        assert.strictEqual(yield* today, 1)
        assert.strictEqual(yield* chargedOf(account), 1)
      })
  )

  it.effect("each key is counted separately, and keys without a limit are not counted", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, today } = yield* openLimitedAccount(100, { daily_credit_limit: 3 })
      const { record: free } = yield* storedKey(account.organization_id)
      const { record: other } = yield* storedKey(account.organization_id, { daily_credit_limit: 2 })
      yield* ledger.charge(charge(3))
      yield* ledger.charge(charge(50, { key_id: free.id }))
      yield* ledger.charge(charge(2, { key_id: other.id }))
      for (const key_id of [charge(1).key_id, other.id]) {
        yield* failsWith(ledger.charge(charge(1, { key_id })), "DailyLimitReached")
      }
      assert.strictEqual(yield* today, 3)
      const listed = yield* listedOf(account)
      assert.deepStrictEqual(
        listed.map(({ credits_today }) => credits_today),
        [2, undefined, 3]
      )
      assert.strictEqual(yield* chargedOf(account), 55)
    })
  )

  it.effect("the limit is checked before the balance, and a charge above the balance is not counted", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charge, today } = yield* openLimitedAccount(5, { daily_credit_limit: 10 })
      yield* failsWith(ledger.charge(charge(11)), "PriceAboveDailyLimit")
      yield* failsWith(ledger.charge(charge(6)), "InsufficientCredits")
      assert.strictEqual(yield* today, 0)
      yield* ledger.charge(charge(5))
      assert.strictEqual(yield* today, 5)
    })
  )
}

const addRepetitionTests = (it: It, options: SuiteOptions): void => {
  it.effect("a repetition is free, also at the limit; only the due credits count", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, today } = yield* openLimitedAccount(100, { daily_credit_limit: 10 })
      const idempotency = { key: unique("idem"), fingerprint: "batch" }
      yield* ledger.charge(charge(6, { idempotency }))
      assert.deepStrictEqual(yield* ledger.charge(charge(6, { idempotency })), { charged: 0, balance: 94 })
      const error = yield* failsWith(ledger.charge(charge(11, { idempotency })), "DailyLimitReached")
      assert.deepInclude(error, { required: 5 })
      const never = yield* failsWith(ledger.charge(charge(17, { idempotency })), "PriceAboveDailyLimit")
      assert.deepInclude(never, { required: 11, limit: 10 })
      assert.deepStrictEqual(yield* ledger.charge(charge(10, { idempotency })), { charged: 4, balance: 90 })
      assert.deepStrictEqual(yield* ledger.charge(charge(10, { idempotency })), { charged: 0, balance: 90 })
      assert.strictEqual(yield* today, 10)
      assert.strictEqual(yield* chargedOf(account), 10)
    })
  )

  it.effect("a charge above the limit leaves its idempotency key unused", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charge } = yield* openLimitedAccount(100, { daily_credit_limit: 10 })
      const key = unique("idem")
      const large = charge(11, { idempotency: { key, fingerprint: "large" } })
      yield* failsWith(ledger.charge(large), "PriceAboveDailyLimit")
      const small = charge(4, { idempotency: { key, fingerprint: "small" } })
      assert.deepStrictEqual(yield* ledger.charge(small), { charged: 4, balance: 96 })
    })
  )
}

const day_ms = 86_400_000

const addDayTests = (it: It, { advance }: SuiteOptions): void => {
  if (advance === undefined) return

  it.effect("a day ends at 00:00 UTC, and the next one starts at 0", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const untilMidnight_ms = day_ms - ((yield* now) % day_ms)
      yield* advance(untilMidnight_ms)
      const { account, charge, today } = yield* openLimitedAccount(100, { daily_credit_limit: 10 })
      for (let day = 1; day <= 3; day++) {
        yield* ledger.charge(charge(4))
        yield* advance(day_ms - 1_500)
        yield* ledger.charge(charge(6))
        const refused = Effect.map(failsWith(ledger.charge(charge(1)), "DailyLimitReached"), (it) => it.retry_after_s)
        assert.strictEqual(yield* refused, 2)
        yield* advance(1_499)
        assert.strictEqual(yield* refused, 1)
        assert.strictEqual(yield* today, 10)
        yield* advance(1)
        assert.strictEqual(yield* today, 0)
        assert.strictEqual(yield* chargedOf(account), 10 * day)
      }
    })
  )

  it.effect("an idempotency key of the previous day can still be repeated", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge, today } = yield* openLimitedAccount(100, { daily_credit_limit: 10 })
      const idempotency = { key: unique("idem"), fingerprint: "lookup" }
      yield* advance(day_ms - 1 - ((yield* now) % day_ms))
      yield* ledger.charge(charge(10, { idempotency }))
      yield* advance(1)
      assert.deepStrictEqual(yield* ledger.charge(charge(10, { idempotency })), { charged: 0, balance: 90 })
      assert.strictEqual(yield* today, 0)
    })
  )
}

const atOnce = { concurrency: "unbounded" } as const

/** The reason of a charge above its limit or its balance. */
const refusals = ["DailyLimitReached", "InsufficientCredits", "PriceAboveDailyLimit"]

const few = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Asked = Schema.Struct({ key: few(2), amount: few(5), idempotency: few(4) })
const AllAsked = Schema.Array(Asked).check(Schema.isMaxLength(60))

const addRaceTests = (it: It, options: SuiteOptions): void => {
  it.effect("200 concurrent charges of 1 under a limit of 40: 40 succeed", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, today } = yield* openLimitedAccount(1_000, { daily_credit_limit: 40 })
      const charges = Array.from({ length: 200 }, () => Effect.result(ledger.charge(charge(1))))
      const results = yield* Effect.all(charges, atOnce)
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
      assert.deepStrictEqual(failures, Array(160).fill("DailyLimitReached"))
      assert.strictEqual(yield* chargedOf(account), 40)
      assert.strictEqual(yield* today, 40)
    })
  )

  it.effect.prop(
    "concurrent random charges of keys never exceed their limits, and the counts equal the charges",
    [few(12), few(80), AllAsked],
    ([limit, opening, asked]) =>
      Effect.gen(function* () {
        yield* awayFromMidnight(options)
        const ledger = yield* CreditLedger
        const limits = { daily_credit_limit: 1 + limit }
        const { account, charge, key_id } = yield* openLimitedAccount(opening, limits)
        const { record: second } = yield* storedKey(account.organization_id, { daily_credit_limit: 7 })
        const { record: free } = yield* storedKey(account.organization_id)
        const ids = [key_id, second.id, free.id]
        const charged = [0, 0, 0]
        const name = unique("idem")
        const pay = ({ amount, idempotency, key }: typeof Asked.Type) =>
          Effect.gen(function* () {
            const repeatable = { idempotency: { key: `${name} ${idempotency}`, fingerprint: "one" } }
            const fields = { key_id: ids[key] ?? "", ...(idempotency < 4 && repeatable) }
            const result = yield* Effect.result(ledger.charge(charge(amount, fields)))
            if (result._tag === "Success") charged[key] = (charged[key] ?? 0) + result.success.charged
            else assert.include(refusals, result.failure._tag)
          })
        yield* Effect.all(asked.map(pay), atOnce)
        assert.isAtMost(charged[0] ?? 0, limits.daily_credit_limit)
        assert.isAtMost(charged[1] ?? 0, 7)
        const counted = (yield* listedOf(account)).map(({ credits_today }) => credits_today)
        assert.deepStrictEqual(counted, [undefined, charged[1], charged[0]])
        assert.strictEqual(
          yield* chargedOf(account),
          charged.reduce((sum, amount) => sum + amount, 0)
        )
      }),
    { arbitrary: { runs: 40, size: 60, seed: 20261121 } }
  )
}

/** A new balance, a function that charges a key with these fields, and the key's charges of today. */
const openLimitedAccount = Effect.fnUntraced(function* (opening: number, key: Partial<ApiKeyRecord>) {
  const { account, charge, key_id } = yield* openAccount(opening, key)
  const today = Effect.gen(function* () {
    const listed = yield* listedOf(account)
    return listed.find(({ id }) => id === key_id)?.credits_today
  })
  return { account, charge, key_id, today }
})

/** The sum of all charges of a balance. */
const chargedOf = (account: CreditAccount) =>
  Effect.map(entriesOf(account), (entries) => entries.reduce((sum, { amount }) => sum + Math.max(0, -amount), 0))

/** The ledger's time, in milliseconds: that of a new entry. */
const now = Effect.gen(function* () {
  const { id: organization_id } = yield* storedOrganization({ test: 1 })
  const account: CreditAccount = { organization_id, environment: "test" }
  const { entries } = yield* (yield* CreditLedger).statement(account, { limit: 1, cursor: undefined })
  return Date.parse(entries.items[0]?.created_at ?? "")
})

/** The keys of an organization, newest first. */
const listedOf = ({ organization_id }: CreditAccount) =>
  Effect.flatMap(ApiKeys, (keys) => readAll((page) => keys.list(organization_id, page)))

/** Ensures that a test does not run over midnight, if its clock runs. */
const awayFromMidnight = ({ advance }: SuiteOptions) => (advance === undefined ? inOneDay : Effect.void)
