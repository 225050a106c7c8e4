/** Corrections: a part of the suite of the port `CreditLedger`. */
import { assert, type Vitest } from "@effect/vitest"
import type { Correction, CreditAccount } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { dies, failsWith } from "../../fixtures/Failures.ts"
import { wholeList } from "../../fixtures/Paging.ts"
import { unique } from "../../fixtures/Records.ts"
import { entriesOf, openAccount } from "./CreditAccounts.ts"

type It = Vitest.MethodsNonLive<CreditLedger | ApiKeys | Organizations>

/** Tests of corrections. */
export const addCorrectionTests = (it: It): void => {
  addAmountTests(it)
  addRepetitionTests(it)
  addConcurrencyTests(it)
}

const addAmountTests = (it: It): void => {
  it.effect("a correction adds or takes its amount as one entry, with its kind as the reason and its note", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      const up = correctionOf(account, { amount: 5, kind: "refund", note: "charged for nothing" })
      const down = correctionOf(account, { amount: -8, kind: "adjustment", note: "granted twice" })
      const first = yield* ledger.correct(up)
      const second = yield* ledger.correct(down)
      assert.deepInclude(first, { balance: 15, repeated: false })
      assert.deepInclude(second, { balance: 7, repeated: false })
      const [latest, earlier] = yield* entriesOf(account)
      const none = { key_id: null, level: null }
      const { amount, kind, note, reference } = down
      assert.deepInclude(latest, {
        id: second.entry_id,
        amount,
        reason: kind,
        note,
        reference,
        balance_after: 7,
        ...none
      })
      assert.deepInclude(earlier, { id: first.entry_id, amount: 5, reason: "refund", note: up.note, balance_after: 15 })
    })
  )

  it.effect("entries of other kinds have no note", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      yield* ledger.charge(charge(1))
      yield* ledger.grant({ ...account, amount: 1, reference: unique("invoice") })
      assert.deepStrictEqual(
        (yield* entriesOf(account)).map(({ note }) => note),
        [null, null, null]
      )
    })
  )

  it.effect("the whole balance can be taken; one credit more is a conflict that leaves the reference unused", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      const correction = correctionOf(account, { amount: -11 })
      yield* failsWith(ledger.correct(correction), "Conflict")
      assert.strictEqual((yield* entriesOf(account)).length, 1)
      assert.deepInclude(yield* ledger.correct({ ...correction, amount: -10 }), { balance: 0, repeated: false })
      yield* failsWith(ledger.correct(correctionOf(account, { amount: -1 })), "Conflict")
    })
  )

  it.effect("an amount of 0, or that is not a whole number, is a defect and changes nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      for (const amount of [0, -0, 0.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
        yield* dies(ledger.correct(correctionOf(account, { amount })))
      }
      assert.strictEqual((yield* entriesOf(account)).length, 1)
    })
  )

  it.effect("a correction of an unknown organization fails", () =>
    Effect.gen(function* () {
      const account = { organization_id: unique("org"), environment: "test" } as const
      yield* failsWith((yield* CreditLedger).correct(correctionOf(account)), "NotFound")
    })
  )
}

const addRepetitionTests = (it: It): void => {
  it.effect("the same reference again returns the first receipt, as repeated, also if the balance was spent", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const correction = correctionOf(account, { amount: -4 })
      const receipt = yield* ledger.correct(correction)
      yield* ledger.charge(charge(6))
      const again = { ...receipt, repeated: true }
      assert.deepStrictEqual([yield* ledger.correct(correction), yield* ledger.correct(correction)], [again, again])
      assert.strictEqual((yield* entriesOf(account)).length, 3)
    })
  )

  it.effect("the same reference with another amount, kind or note is a conflict and changes nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(10)
      const correction = correctionOf(account, { amount: 4 })
      yield* ledger.correct(correction)
      for (const other of [{ amount: -4 }, { amount: 5 }, { kind: "adjustment" }, { note: "another" }] as const) {
        yield* failsWith(ledger.correct({ ...correction, ...other }), "Conflict")
      }
      assert.strictEqual((yield* entriesOf(account)).length, 2)
    })
  )

  it.effect("references are separate for each balance, and independent of openings, charges and grants", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(5)
      const { account: other } = yield* openAccount(5)
      const reference = account.organization_id
      yield* ledger.charge(charge(1, { request_id: reference }))
      yield* ledger.grant({ ...account, amount: 20, reference })
      const correct = (fields: Partial<Correction>) => ledger.correct(correctionOf(account, { reference, ...fields }))
      assert.deepInclude(yield* correct({ amount: -20 }), { balance: 4, repeated: false })
      assert.deepInclude(yield* correct({ amount: 2, environment: "live" }), { balance: 2, repeated: false })
      assert.deepInclude(yield* correct({ ...other, amount: 3 }), { balance: 8, repeated: false })
      assert.deepInclude(yield* ledger.grant({ ...account, amount: 20, reference }), { balance: 24, repeated: true })
      const { entries } = yield* ledger.statement(account, wholeList, { reference })
      assert.deepStrictEqual(
        entries.items.map(({ amount }) => amount),
        [-20, 20, -1, 5]
      )
    })
  )
}

const addConcurrencyTests = (it: It): void => {
  it.effect("equal concurrent corrections are one entry with one receipt, and all but one are repeated", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account } = yield* openAccount(500)
      const correction = correctionOf(account, { amount: -500 })
      const receipts = yield* Effect.replicateEffect(ledger.correct(correction), 30, atOnce)
      const first = receipts.find(({ repeated }) => !repeated)
      assert.sameDeepMembers(receipts, [first, ...Array(29).fill({ ...first, repeated: true })])
      assert.strictEqual((yield* entriesOf(account)).length, 2)
    })
  )

  it.effect("concurrent corrections and charges never exceed the balance, and add up", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(50)
      const correct = (amount: number) => Effect.result(ledger.correct(correctionOf(account, { amount })))
      const work = Array.from({ length: 50 }, (_, i) => [
        Effect.map(correct(i % 2 === 0 ? 3 : -4), ({ _tag }) => (_tag === "Success" ? (i % 2 === 0 ? 3 : -4) : 0)),
        Effect.map(Effect.result(ledger.charge(charge(2))), ({ _tag }) => (_tag === "Success" ? -2 : 0))
      ]).flat()
      const changes = yield* Effect.all(work, atOnce)
      const entries = (yield* entriesOf(account)).toReversed()
      assert.sameMembers(
        entries.slice(1).map(({ amount }) => amount),
        changes.filter((amount) => amount !== 0)
      )
      let balance = 0
      for (const { amount, balance_after } of entries) {
        balance += amount
        assert.strictEqual(balance_after, balance)
        assert.isAtLeast(balance, 0)
      }
    })
  )
}

const atOnce = { concurrency: "unbounded" } as const

/** A correction under a new reference: by default a refund of one credit. */
const correctionOf = (account: CreditAccount, fields: Partial<Correction> = {}): Correction => ({
  ...account,
  kind: "refund",
  amount: 1,
  note: "for a test",
  reference: unique("case"),
  ...fields
})
