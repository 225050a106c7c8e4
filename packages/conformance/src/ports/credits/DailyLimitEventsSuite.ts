/** Events of daily limits: a part of the suite of the port `CreditLedger`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeyRecord } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { inOneDay } from "../../fixtures/InOneDay.ts"
import { readAll } from "../../fixtures/Paging.ts"
import { nextTimestamp, storedKey, unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"
import { storedWebhook } from "../webhooks/WebhooksSuite.ts"
import { openAccount } from "./CreditAccounts.ts"

type Ports = ApiKeys | CreditLedger | Organizations | Webhooks
type It = Vitest.MethodsNonLive<Ports>

/** Registers the tests of the events of daily limits. */
export const dailyLimitEventsSuite = <E>(
  name: string,
  adapter: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`Daily limits that are reached ${name}`, (it) => {
    addReachingTests(it, options)
    addRefusalTests(it, options)
    addChangeTests(it, options)
    addDayTests(it, options)
    addRaceTests(it, options)
  })

const addReachingTests = (it: It, options: SuiteOptions): void => {
  it.effect("the charge that uses up a limit sends one event, with the key, the limit and the credits of the day", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, events, key_id } = yield* openWatchedKey(100, { daily_credit_limit: 10 })
      yield* ledger.charge(charge(9))
      yield* ledger.charge(charge(0))
      assert.deepStrictEqual(yield* events, [])
      yield* ledger.charge(charge(1))
      const event = {
        type: "key.daily_limit_reached" as const,
        data: { ...account, key_id, daily_credit_limit: 10, credits_today: 10 }
      }
      assert.deepStrictEqual(yield* events, [event])
      for (const amount of [1, 2]) yield* failsWith(ledger.charge(charge(amount)), "DailyLimitReached")
      yield* ledger.charge(charge(0))
      assert.deepStrictEqual(yield* events, [event])
    })
  )

  it.effect("each key reports its own limit, and keys without one report nothing", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, key_id, reached } = yield* openWatchedKey(100, { daily_credit_limit: 3 })
      const { record: free } = yield* storedKey(account.organization_id)
      const { record: other } = yield* storedKey(account.organization_id, { daily_credit_limit: 2 })
      yield* ledger.charge(charge(90, { key_id: free.id }))
      yield* ledger.charge(charge(2, { key_id: other.id }))
      yield* ledger.charge(charge(3))
      assert.deepStrictEqual(yield* reached, [
        [other.id, 2, 2],
        [key_id, 3, 3]
      ])
    })
  )

  it.effect("one charge may reach the limit and leave a low balance: both are sent", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatchedKey(10, { daily_credit_limit: 5 })
      yield* ledger.setThreshold(account, 6)
      yield* ledger.charge(charge(5))
      const types = (yield* events).map(({ type }) => type)
      assert.sameMembers(types, ["credits.low", "key.daily_limit_reached"])
    })
  )
}

const addRefusalTests = (it: It, options: SuiteOptions): void => {
  it.effect("the first charge that is refused because of the limit sends one event, later ones none", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charge, key_id, reached } = yield* openWatchedKey(100, { daily_credit_limit: 10 })
      yield* ledger.charge(charge(7))
      for (const amount of [4, 4, 10]) yield* failsWith(ledger.charge(charge(amount)), "DailyLimitReached")
      // What still fits may use up the limit: the same limit is reported once.
      assert.deepStrictEqual(yield* ledger.charge(charge(3)), { charged: 3, balance: 90 })
      yield* failsWith(ledger.charge(charge(1)), "DailyLimitReached")
      assert.deepStrictEqual(yield* reached, [[key_id, 10, 7]])
    })
  )

  it.effect("a charge that is refused for another reason reaches no limit", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { charge, reached } = yield* openWatchedKey(5, { daily_credit_limit: 10 })
      // It costs more than the limit allows on any day.
      yield* failsWith(ledger.charge(charge(11)), "PriceAboveDailyLimit")
      yield* failsWith(ledger.charge(charge(10)), "InsufficientCredits")
      assert.deepStrictEqual(yield* reached, [])
    })
  )

  it.effect(
    "a repetition under an idempotency key sends no second event, and a refused one leaves the key unused",
    () =>
      Effect.gen(function* () {
        yield* awayFromMidnight(options)
        const ledger = yield* CreditLedger
        const { charge, key_id, reached } = yield* openWatchedKey(100, { daily_credit_limit: 10 })
        const idempotency = (fingerprint: string, key = unique("idem")) => ({ idempotency: { key, fingerprint } })
        const again = charge(4, idempotency("lookup"))
        yield* Effect.replicateEffect(ledger.charge(again), 3)
        const key = unique("idem")
        yield* failsWith(ledger.charge(charge(7, idempotency("large", key))), "DailyLimitReached")
        yield* ledger.charge(charge(6, idempotency("small", key)))
        yield* ledger.charge(again)
        assert.deepStrictEqual(yield* reached, [[key_id, 10, 4]])
      })
  )
}

const addChangeTests = (it: It, options: SuiteOptions): void => {
  it.effect("a limit that was raised can be reached again on the same day, a lowered one is not reported again", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const keys = yield* ApiKeys
      const { charge, key_id, reached } = yield* openWatchedKey(100, { daily_credit_limit: 10 })
      const setLimit = (daily_credit_limit: number | null) =>
        keys.update(key_id, { daily_credit_limit }, nextTimestamp())
      yield* ledger.charge(charge(10))
      yield* setLimit(4)
      yield* failsWith(ledger.charge(charge(4)), "DailyLimitReached")
      yield* setLimit(12)
      yield* ledger.charge(charge(1))
      assert.deepStrictEqual(yield* reached, [[key_id, 10, 10]])
      yield* failsWith(ledger.charge(charge(2)), "DailyLimitReached")
      yield* setLimit(null)
      yield* ledger.charge(charge(20))
      assert.deepStrictEqual(yield* reached, [
        [key_id, 10, 10],
        [key_id, 12, 11]
      ])
    })
  )
}

const day_ms = 86_400_000

const addDayTests = (it: It, { advance }: SuiteOptions): void => {
  if (advance === undefined) return

  it.effect("the next event comes on another day at the earliest", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge, key_id, reached } = yield* openWatchedKey(100, { daily_credit_limit: 10 })
      for (let day = 0; day < 3; day++) {
        yield* ledger.charge(charge(8))
        yield* failsWith(ledger.charge(charge(3)), "DailyLimitReached")
        yield* failsWith(ledger.charge(charge(3)), "DailyLimitReached")
        yield* advance(day_ms)
      }
      assert.deepStrictEqual(yield* reached, Array(3).fill([key_id, 10, 8]))
    })
  )
}

const addRaceTests = (it: It, options: SuiteOptions): void => {
  it.effect("100 concurrent charges beyond the limits of two keys send one event for each key", () =>
    Effect.gen(function* () {
      yield* awayFromMidnight(options)
      const ledger = yield* CreditLedger
      const { account, charge, key_id, reached } = yield* openWatchedKey(1_000, { daily_credit_limit: 9 })
      const { record: other } = yield* storedKey(account.organization_id, { daily_credit_limit: 20 })
      const charges = Array.from({ length: 100 }, (_, i) =>
        Effect.result(ledger.charge(charge(2, { key_id: i % 2 === 0 ? key_id : other.id })))
      )
      yield* Effect.all(charges, { concurrency: "unbounded" })
      assert.sameDeepMembers(yield* reached, [
        [key_id, 9, 8],
        [other.id, 20, 20]
      ])
    })
  )
}

/** A new balance with a webhook, a function that charges a key with these fields, and what the webhook gets. */
const openWatchedKey = Effect.fnUntraced(function* (opening: number, key: Partial<ApiKeyRecord>) {
  const webhooks = yield* Webhooks
  const { account, charge, key_id } = yield* openAccount(opening, key)
  const { id: endpoint } = yield* storedWebhook(account.organization_id)
  const events = Effect.map(
    readAll((page) => webhooks.deliveries(endpoint, page)),
    (deliveries) => deliveries.map(({ event: { data, type } }) => ({ type, data })).toReversed()
  )
  /** The key, its limit and the credits of the day for each event. */
  const reached = Effect.map(events, (all) =>
    all.flatMap(({ data, type }) =>
      type === "key.daily_limit_reached" ? [[data.key_id, data.daily_credit_limit, data.credits_today]] : []
    )
  )
  return { account, charge, events, key_id, reached }
})

/** Ensures that a test does not run over midnight, if its clock runs. */
const awayFromMidnight = ({ advance }: SuiteOptions) => (advance === undefined ? inOneDay : Effect.void)
