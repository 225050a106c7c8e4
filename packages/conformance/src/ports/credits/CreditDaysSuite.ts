/** Sums of all organizations by day: a part of the suite of the port `CreditLedger`. */
import { assert, type Vitest } from "@effect/vitest"
import type { Environment } from "@postcode/core/Credits"
import { type CreditDay, CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Clock, Effect } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { inOneDay } from "../../fixtures/InOneDay.ts"
import { unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"
import { openAccount } from "./CreditAccounts.ts"

type It = Vitest.MethodsNonLive<ApiKeys | CreditLedger | Organizations>

export const addCreditDayTests = (it: It, { advance }: SuiteOptions): void => {
  const stayInDay = advance === undefined ? inOneDay : Effect.void

  it.effect("the sums of a day have each entry once, by kind and environment", () =>
    Effect.gen(function* () {
      yield* stayInDay
      const ledger = yield* CreditLedger
      const [before, liveBefore] = [yield* today("test"), yield* today("live")]
      const { account, charge } = yield* openAccount(100)
      const grant = { ...account, amount: 50, reference: unique("invoice") }
      for (let i = 0; i < 3; i++) yield* ledger.grant(grant)
      const correct = (kind: "adjustment" | "refund", amount: number) =>
        ledger.correct({ ...account, amount, kind, note: "for a test", reference: unique("case") })
      yield* correct("refund", 9)
      yield* correct("refund", -4)
      yield* correct("adjustment", -7)
      yield* failsWith(correct("adjustment", -1_000), "Conflict")
      yield* ledger.charge(charge(10))
      yield* ledger.charge(charge(0))
      const again = charge(3, { idempotency: { key: unique("idem"), fingerprint: "lookup" } })
      for (let i = 0; i < 3; i++) yield* ledger.charge(again)
      yield* failsWith(ledger.charge(charge(1_000)), "InsufficientCredits")
      assert.deepStrictEqual(since(before, yield* today("test")), {
        opening: 100,
        granted: 50,
        refunded: 5,
        adjusted: -7,
        charged: 13
      })
      yield* ledger.grant({ ...account, environment: "live", amount: 20, reference: unique("invoice") })
      assert.deepStrictEqual(since(liveBefore, yield* today("live")), { ...none, granted: 20 })
    })
  )

  it.effect("concurrent charges of several organizations are summed without a loss", () =>
    Effect.gen(function* () {
      yield* stayInDay
      const ledger = yield* CreditLedger
      const accounts = yield* Effect.replicateEffect(openAccount(25), 3)
      const before = yield* today("test")
      yield* Effect.forEach(
        Array.from({ length: 120 }, (_, i) => accounts[i % 3]?.charge(1)),
        (charge) => (charge === undefined ? Effect.void : Effect.result(ledger.charge(charge))),
        { concurrency: "unbounded", discard: true }
      )
      assert.deepStrictEqual(since(before, yield* today("test")), { ...none, charged: 75 })
    })
  )

  if (advance === undefined) return

  it.effect("a day keeps its sums when others follow; days without entries are omitted", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      yield* advance(2 * day_ms)
      const first = yield* dateNow
      const { account, charge } = yield* openAccount(100)
      const { charge: chargeOther } = yield* openAccount(100)
      yield* ledger.charge(charge(10))
      yield* ledger.charge(chargeOther(1))
      yield* advance(day_ms)
      const quiet = yield* dateNow
      yield* advance(day_ms)
      const last = yield* dateNow
      yield* ledger.charge(charge(3))
      yield* ledger.charge(charge(4))
      yield* ledger.grant({ ...account, amount: 50, reference: unique("invoice") })
      const sums = [
        { date: first, ...none, opening: 200, charged: 11 },
        { date: last, ...none, granted: 50, charged: 7 }
      ]
      const between = (from: string, to: string) => ledger.days("test", { from, to })
      assert.deepStrictEqual(yield* between(first, last), sums)
      assert.deepStrictEqual(yield* between(first, quiet), sums.slice(0, 1))
      assert.deepStrictEqual(yield* between(quiet, quiet), [])
      assert.deepStrictEqual(yield* between(quiet, last), sums.slice(1))
    })
  )
}

const day_ms = 86_400_000

const none: Omit<CreditDay, "date"> = { opening: 0, granted: 0, refunded: 0, adjusted: 0, charged: 0 }

const dateNow = Effect.map(Clock.currentTimeMillis, (now_ms) => new Date(now_ms).toISOString().slice(0, 10))

/** The sums of the day so far, of all tests. */
const today = Effect.fnUntraced(function* (environment: Environment) {
  const ledger = yield* CreditLedger
  const date = yield* dateNow
  const [{ date: _, ...sums } = { date, ...none }] = yield* ledger.days(environment, { from: date, to: date })
  return sums
})

const since = (before: Omit<CreditDay, "date">, after: Omit<CreditDay, "date">): Omit<CreditDay, "date"> => ({
  opening: after.opening - before.opening,
  granted: after.granted - before.granted,
  refunded: after.refunded - before.refunded,
  adjusted: after.adjusted - before.adjusted,
  charged: after.charged - before.charged
})
