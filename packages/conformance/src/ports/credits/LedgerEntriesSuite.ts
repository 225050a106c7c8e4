/** Fields of entries, and the filter by reference: a part of the suite of the port `CreditLedger`. */
import { assert, type Vitest } from "@effect/vitest"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { checkPaging, readAll, wholeList } from "../../fixtures/Paging.ts"
import { storedKey, unique } from "../../fixtures/Records.ts"
import { openAccount } from "./CreditAccounts.ts"

type It = Vitest.MethodsNonLive<CreditLedger | ApiKeys | Organizations>

/** Tests of ledger entries. */
export const addEntryTests = (it: It): void => {
  addFieldTests(it)
  addReferenceTests(it)
}

const addFieldTests = (it: It): void => {
  it.effect("an entry contains the charged key and the served level; others have neither", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge, key_id } = yield* openAccount(1_000)
      const { record: other } = yield* storedKey(account.organization_id)
      yield* ledger.charge(charge(1, { level: 3 }))
      yield* ledger.charge(charge(1, { key_id: other.id, level: 2 }))
      yield* ledger.charge(charge(1, { level: 1, served_level: 5 }))
      yield* ledger.charge(charge(1, { reason: "widget_session" }))
      yield* ledger.grant({ ...account, amount: 5, reference: unique("invoice") })
      const entries = yield* readAll((page) => Effect.map(ledger.statement(account, page), ({ entries }) => entries))
      assert.deepStrictEqual(
        entries.map(({ key_id, level, reason }) => [reason, key_id, level]),
        [
          ["grant", null, null],
          ["widget_session", key_id, null],
          ["lookup", key_id, 5],
          ["lookup", other.id, 2],
          ["lookup", key_id, 3],
          ["opening", null, null]
        ]
      )
    })
  )

  it.effect("concurrent charges contain each its own key and level", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(1_000)
      const keys = yield* Effect.replicateEffect(storedKey(account.organization_id), 4)
      const charges = keys.flatMap(({ record }) =>
        ([1, 2, 3, undefined] as const).map((level) =>
          charge(1, { key_id: record.id, ...(level !== undefined && { level }) })
        )
      )
      yield* Effect.forEach(charges, ledger.charge, { concurrency: "unbounded" })
      for (const { key_id, level = null, request_id } of charges) {
        const { entries } = yield* ledger.statement(account, wholeList, { reference: request_id })
        assert.deepStrictEqual(
          entries.items.map((entry) => [entry.key_id, entry.level]),
          [[key_id, level]]
        )
      }
    })
  )
}

const addReferenceTests = (it: It): void => {
  it.effect("the entries of a reference are those of the same balance with exactly this reference", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(1_000)
      const { charge: chargeElsewhere } = yield* openAccount(1_000)
      const reference = unique("req")
      yield* ledger.charge(charge(1, { request_id: reference }))
      for (const request_id of [`${reference}0`, reference.slice(1), reference.toUpperCase(), ` ${reference}`]) {
        yield* ledger.charge(charge(1, { request_id }))
      }
      yield* ledger.charge(chargeElsewhere(1, { request_id: reference }))
      yield* ledger.grant({ ...account, environment: "live", amount: 7, reference })
      yield* ledger.grant({ ...account, amount: 9, reference })
      const { balance, entries } = yield* ledger.statement(account, wholeList, { reference })
      assert.strictEqual(balance, 1_004)
      assert.deepStrictEqual(
        entries.items.map(({ amount }) => amount),
        [9, -1]
      )
      const none = yield* ledger.statement(account, wholeList, { reference: unique("req") })
      const noEntries = { items: [], next_cursor: null }
      assert.deepStrictEqual(none, { balance, low_balance_threshold: null, archived: null, entries: noEntries })
    })
  )

  it.effect("the entries of a reference that many requests share are paged, newest first", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(1_000)
      const reference = unique("req")
      const ids: Array<string> = []
      for (let i = 0; i < 6; i++) {
        yield* ledger.charge(charge(1, { request_id: reference }))
        yield* ledger.charge(charge(1))
        const { entries } = yield* ledger.statement(account, { limit: 1, cursor: undefined }, { reference })
        ids.push(...entries.items.map(({ id }) => id))
      }
      yield* checkPaging({
        list: (page) => Effect.map(ledger.statement(account, page, { reference }), ({ entries }) => entries),
        idOf: ({ id }) => id,
        ids,
        isPrivate: true,
        add: ledger.grant({ ...account, amount: 1, reference })
      })
    })
  )
}
