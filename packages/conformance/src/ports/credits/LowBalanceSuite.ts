/** Events of balances that are low or used up: a part of the suite of the port `CreditLedger`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { CreditAccount } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { maxPending } from "@postcode/gateway/webhooks/Webhook"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect, type Layer } from "effect"
import { dies, failsWith } from "../../fixtures/Failures.ts"
import { readAll, wholeList } from "../../fixtures/Paging.ts"
import { storedOrganization, unique } from "../../fixtures/Records.ts"
import { newTestEvent, storedWebhook } from "../webhooks/WebhooksSuite.ts"
import { openAccount } from "./CreditAccounts.ts"
import { addUsedUpTests } from "./UsedUpSuite.ts"

type Ports = ApiKeys | CreditLedger | Organizations | Webhooks
type It = Vitest.MethodsNonLive<Ports>

/** Registers the tests of events of balances that are low or used up. */
export const lowBalanceSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Low balances ${name}`, (it) => {
    addThresholdTests(it)
    addCrossingTests(it)
    addRepetitionTests(it)
    addReceiverTests(it)
    addBoundTests(it)
    addUsedUpTests(it)
  })

const addThresholdTests = (it: It): void => {
  it.effect("a balance has no threshold until one is set; each statement contains its own", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openWatchedAccount(100)
      const live: CreditAccount = { ...account, environment: "live" }
      const shown = Effect.forEach([account, live], (one) =>
        Effect.map(ledger.statement(one, wholeList), (it) => it.low_balance_threshold)
      )
      assert.deepStrictEqual(yield* shown, [null, null])
      assert.deepStrictEqual(yield* ledger.setThreshold(account, 40), { balance: 100, changed: true })
      assert.deepStrictEqual(yield* shown, [40, null])
      assert.deepStrictEqual(yield* ledger.setThreshold(account, 40), { balance: 100, changed: false })
      assert.deepStrictEqual(yield* ledger.setThreshold(account, null), { balance: 100, changed: true })
      assert.deepStrictEqual(yield* ledger.setThreshold(account, null), { balance: 100, changed: false })
      assert.deepStrictEqual(yield* shown, [null, null])
    })
  )

  it.effect("a threshold that is not a whole number above 0 is a defect; an unknown organization has none", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openWatchedAccount(100)
      for (const threshold of [0, -1, 1.5, Number.NaN]) yield* dies(ledger.setThreshold(account, threshold))
      yield* failsWith(ledger.setThreshold({ ...account, organization_id: unique("org") }, 5), "NotFound")
    })
  )

  it.effect("a threshold above the balance sends an event immediately, and the same threshold again sends none", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, events } = yield* openWatchedAccount(100)
      yield* ledger.setThreshold(account, 100)
      assert.deepStrictEqual(yield* events, [])
      yield* ledger.setThreshold(account, 101)
      yield* ledger.setThreshold(account, 101)
      assert.deepStrictEqual(yield* events, [[100, 101]])
      yield* ledger.setThreshold(account, 50)
      yield* ledger.setThreshold(account, null)
      yield* ledger.setThreshold(account, 200)
      assert.deepStrictEqual(yield* events, [
        [100, 101],
        [100, 200]
      ])
    })
  )
}

const addBoundTests = (it: It): void => {
  it.effect("a webhook with 500 pending deliveries gets no more, but the threshold is set", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const webhooks = yield* Webhooks
      const { account } = yield* openWatchedAccount(100)
      const [full, free] = [
        yield* storedWebhook(account.organization_id),
        yield* storedWebhook(account.organization_id)
      ]
      const test = Effect.suspend(() => webhooks.enqueue(full.id, newTestEvent()))
      yield* Effect.replicateEffect(test, maxPending - 1, { concurrency: 10, discard: true })
      yield* ledger.setThreshold(account, 101)
      yield* failsWith(test, "Conflict")
      assert.deepStrictEqual(yield* ledger.setThreshold(account, 102), { balance: 100, changed: true })
      const told = (id: string) =>
        Effect.map(webhooks.deliveries(id, wholeList), ({ items }) =>
          items.filter(({ event }) => event.type === "credits.low").map(({ event }) => event.data.threshold)
        )
      assert.deepStrictEqual(yield* told(full.id), [101])
      assert.deepStrictEqual(yield* told(free.id), [102, 101])
      yield* webhooks.remove(full.id)
      yield* webhooks.remove(free.id)
    })
  )
}

const addCrossingTests = (it: It): void => {
  it.effect("the charge that takes the balance below the threshold sends one event, earlier and later ones none", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatchedAccount(10)
      yield* ledger.setThreshold(account, 8)
      yield* ledger.charge(charge(2))
      assert.deepStrictEqual(yield* events, [])
      yield* ledger.charge(charge(3))
      assert.deepStrictEqual(yield* events, [[5, 8]])
      yield* ledger.charge(charge(5))
      yield* failsWith(ledger.charge(charge(1)), "InsufficientCredits")
      assert.deepStrictEqual(yield* events, [[5, 8]])
    })
  )

  it.effect("a grant that restores the balance to the threshold enables the next event, a smaller one does not", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatchedAccount(10)
      const grant = (amount: number) => ledger.grant({ ...account, amount, reference: unique("invoice") })
      yield* ledger.setThreshold(account, 8)
      yield* ledger.charge(charge(6))
      yield* grant(3)
      yield* ledger.charge(charge(1))
      assert.deepStrictEqual(yield* events, [[4, 8]])
      yield* grant(1)
      yield* ledger.charge(charge(1))
      assert.deepStrictEqual(yield* events, [[4, 8]])
      yield* grant(2)
      assert.deepStrictEqual(yield* events, [[4, 8]])
      yield* ledger.charge(charge(1))
      assert.deepStrictEqual(yield* events, [
        [4, 8],
        [7, 8]
      ])
    })
  )

  it.effect(
    "a correction that takes the balance below the threshold sends one event, and is repeated without one",
    () =>
      Effect.gen(function* () {
        const ledger = yield* CreditLedger
        const { account, charge, events } = yield* openWatchedAccount(10)
        const correct = (amount: number, reference = unique("case")) =>
          ledger.correct({ ...account, amount, kind: "adjustment", note: "for a test", reference })
        yield* ledger.setThreshold(account, 8)
        yield* correct(-2)
        assert.deepStrictEqual(yield* events, [])
        const reference = unique("case")
        yield* correct(-1, reference)
        yield* correct(-1, reference)
        yield* failsWith(correct(-8), "Conflict")
        yield* correct(-1)
        yield* ledger.charge(charge(1))
        assert.deepStrictEqual(yield* events, [[7, 8]])
        yield* correct(3)
        yield* correct(-4)
        assert.deepStrictEqual(yield* events, [
          [7, 8],
          [4, 8]
        ])
      })
  )

  it.effect("without a threshold no event is sent, and the balances of an organization are independent", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatchedAccount(10)
      yield* ledger.grant({ ...account, environment: "live", amount: 50, reference: unique("invoice") })
      yield* ledger.setThreshold({ ...account, environment: "live" }, 20)
      yield* ledger.charge(charge(10))
      assert.deepStrictEqual(yield* events, [])
    })
  )
}

const addRepetitionTests = (it: It): void => {
  it.effect("a charge that is repeated under its idempotency key sends no second event", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatchedAccount(10)
      yield* ledger.setThreshold(account, 8)
      const again = charge(4, { idempotency: { key: unique("idem"), fingerprint: "lookup" } })
      yield* Effect.replicateEffect(ledger.charge(again), 8, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* events, [[6, 8]])
    })
  )

  it.effect("concurrent charges send one event each time the balance falls below the threshold", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, events } = yield* openWatchedAccount(200)
      yield* ledger.setThreshold(account, 100)
      const charges = (count: number) =>
        Effect.forEach(Array.from({ length: count }), () => ledger.charge(charge(1)), { concurrency: "unbounded" })
      yield* charges(150)
      assert.strictEqual((yield* events).length, 1)
      yield* ledger.grant({ ...account, amount: 100, reference: unique("invoice") })
      yield* charges(150)
      const told = yield* events
      assert.strictEqual(told.length, 2)
      for (const [balance, threshold] of told) {
        assert.isBelow(balance, 100)
        assert.strictEqual(threshold, 100)
      }
    })
  )
}

const addReceiverTests = (it: It): void => {
  it.effect("each webhook of the organization gets the same event, and other organizations' webhooks get none", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, endpoint } = yield* openWatchedAccount(10)
      const other = yield* storedWebhook(account.organization_id)
      const { id: elsewhere } = yield* storedOrganization()
      const foreign = yield* storedWebhook(elsewhere)
      yield* ledger.setThreshold(account, 8)
      yield* ledger.charge(charge(4))
      const [first, ...more] = yield* deliveriesOf(endpoint)
      const [second, ...others] = yield* deliveriesOf(other.id)
      assert.deepStrictEqual([more, others, yield* deliveriesOf(foreign.id)], [[], [], []])
      assert.deepStrictEqual(first?.event, second?.event)
      assert.notStrictEqual(first?.id, second?.id)
      const { at, data, type } = first?.event ?? {}
      assert.strictEqual(type, "credits.low")
      assert.strictEqual(new Date(at ?? "").toISOString(), at)
      assert.deepStrictEqual(data, { ...account, balance: 6, threshold: 8 })
      assert.deepInclude(first, { status: "pending", attempts: 0, endpoint_id: endpoint })
    })
  )
}

const deliveriesOf = (endpoint_id: string) =>
  Effect.flatMap(Webhooks, (webhooks) => readAll((page) => webhooks.deliveries(endpoint_id, page)))

/** A new balance with a webhook, a function that charges it, and the balance and threshold of each event. */
const openWatchedAccount = Effect.fnUntraced(function* (opening: number) {
  const { account, charge } = yield* openAccount(opening)
  const { id: endpoint } = yield* storedWebhook(account.organization_id)
  const events = Effect.map(deliveriesOf(endpoint), (deliveries) =>
    deliveries
      .filter(({ event }) => event.type === "credits.low")
      .map(({ event: { data } }) => [Number(data.balance), Number(data.threshold)] as const)
      .toReversed()
  )
  return { account, charge, endpoint, events }
})
