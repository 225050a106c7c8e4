/** Events of balances that are used up: a part of the suite of the port `CreditLedger`. */
import { assert, type Vitest } from "@effect/vitest"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { readAll } from "../../fixtures/Paging.ts"
import { unique } from "../../fixtures/Records.ts"
import { storedWebhook } from "../webhooks/WebhooksSuite.ts"
import { openAccount } from "./CreditAccounts.ts"

type Ports = ApiKeys | CreditLedger | Organizations | Webhooks
type It = Vitest.MethodsNonLive<Ports>

export const addUsedUpTests = (it: It): void => {
  addZeroTests(it)
  addRefusalTests(it)
}

const addZeroTests = (it: It): void => {
  it.effect("the charge or correction that takes the balance to 0 sends one event, refused charges at 0 none", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, correct, events, grant } = yield* openWatched(5)
      yield* ledger.charge(charge(4))
      assert.deepStrictEqual(yield* events, [])
      yield* ledger.charge(charge(1))
      const told = { ...account, balance: 0 }
      assert.deepStrictEqual(yield* events, [told])
      for (const amount of [1, 3, 0]) yield* Effect.result(ledger.charge(charge(amount)))
      assert.deepStrictEqual(yield* events, [told])
      yield* grant(2)
      yield* correct(-2)
      assert.deepStrictEqual(yield* events, [told, told])
    })
  )

  it.effect("an account that never had credits is not used up", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { charge, events } = yield* openWatched(0)
      yield* failsWith(ledger.charge(charge(1)), "InsufficientCredits")
      assert.deepStrictEqual(yield* events, [])
    })
  )

  it.effect("100 concurrent charges on 40 credits send one event each time that they are used up", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events, grant } = yield* openWatched(40)
      const charges = Effect.forEach(Array.from({ length: 100 }), () => Effect.result(ledger.charge(charge(1))), {
        concurrency: "unbounded"
      })
      yield* charges
      assert.deepStrictEqual(yield* events, [{ ...account, balance: 0 }])
      yield* grant(40)
      yield* charges
      assert.lengthOf(yield* events, 2)
    })
  )
}

const addRefusalTests = (it: It): void => {
  it.effect("the first charge that costs more than the rest sends one event, once until credits are added", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, correct, events, grant } = yield* openWatched(5)
      const refuse = (amount: number) => failsWith(ledger.charge(charge(amount)), "InsufficientCredits")
      yield* ledger.charge(charge(3))
      for (const amount of [3, 100, 3]) yield* refuse(amount)
      const at = (balance: number) => ({ ...account, balance })
      assert.deepStrictEqual(yield* events, [at(2)])
      // What is cheaper still works, and neither it nor a correction downwards enables the next event.
      yield* ledger.charge(charge(1))
      yield* refuse(3)
      yield* grant(2)
      yield* correct(-1)
      yield* refuse(3)
      yield* refuse(3)
      assert.deepStrictEqual(yield* events, [at(2), at(2)])
      yield* ledger.charge(charge(2))
      assert.deepStrictEqual(yield* events, [at(2), at(2), at(0)])
    })
  )

  it.effect("50 concurrent refused charges send one event, and leave balance, entries and threshold as they were", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatched(2)
      yield* ledger.setThreshold(account, 1)
      const before = yield* ledger.statement(account, { limit: 10, cursor: undefined })
      yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.result(ledger.charge(charge(3))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(yield* events, [{ ...account, balance: 2 }])
      assert.deepStrictEqual(yield* ledger.statement(account, { limit: 10, cursor: undefined }), before)
    })
  )
}

/** A new balance with a webhook, what changes it, and the data of the events, oldest first. */
const openWatched = Effect.fnUntraced(function* (opening: number) {
  const ledger = yield* CreditLedger
  const webhooks = yield* Webhooks
  const { account, charge } = yield* openAccount(opening)
  const { id: endpoint } = yield* storedWebhook(account.organization_id)
  const events = Effect.map(
    readAll((page) => webhooks.deliveries(endpoint, page)),
    (deliveries) =>
      deliveries.flatMap(({ event: { data, type } }) => (type === "credits.used_up" ? [data] : [])).toReversed()
  )
  const grant = (amount: number) => ledger.grant({ ...account, amount, reference: unique("invoice") })
  const correct = (amount: number) =>
    ledger.correct({ ...account, amount, kind: "adjustment", note: "for a test", reference: unique("case") })
  return { account, charge, correct, events, grant }
})
