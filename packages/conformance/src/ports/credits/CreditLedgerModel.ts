/**
 * Compares the ledger with a reference implementation: sequential random grants, corrections and charges must have the
 * same results, and the same commands run concurrently must leave a consistent ledger.
 */
import { assert, type Vitest } from "@effect/vitest"
import { type CreditAccount, correctionKinds, type EntryReceipt } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Schema } from "effect"
import { unique } from "../../fixtures/Records.ts"
import { entriesOf, openAccount } from "./CreditAccounts.ts"

const few = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Command = Schema.Union([
  Schema.Struct({ type: Schema.Literal("grant"), amount: Schema.Literals([1, 5, 40]), reference: few(5) }),
  Schema.Struct({
    type: Schema.Literal("correction"),
    amount: Schema.Literals([-25, -3, 4]),
    kind: Schema.Literals(correctionKinds),
    reference: few(5)
  }),
  Schema.Struct({
    type: Schema.Literal("charge"),
    amount: few(12),
    /** Which of three idempotency keys; none at 3. */
    idempotency: few(3),
    fingerprint: few(1)
  })
])
type Command = typeof Command.Type
type Correction = Command & { readonly type: "correction" }

const Commands = Schema.Array(Command).check(Schema.isMaxLength(40))

/** Adds tests that compare a ledger with a model of it, on random commands. */
export const addLedgerModelTests = (it: Vitest.MethodsNonLive<CreditLedger | ApiKeys | Organizations>): void => {
  const arbitrary = { runs: 60, size: 40, seed: 20260131 }

  it.effect.prop(
    "random grants, corrections and charges have the results of the model",
    [few(30), Commands],
    ([opening, commands]) =>
      Effect.gen(function* () {
        const { account, run } = yield* openLedger(opening)
        const model = new LedgerModel(opening)
        for (const command of commands) assert.deepStrictEqual(yield* run(command), model.run(command))
        assert.deepStrictEqual(yield* amountsOf(account), model.amounts)
      }),
    { arbitrary }
  )

  it.effect.prop(
    "concurrent random grants, corrections and charges leave a consistent ledger",
    [few(30), Commands],
    ([opening, commands]) =>
      Effect.gen(function* () {
        const { account, run } = yield* openLedger(opening)
        const answers = yield* Effect.all(commands.map(run), { concurrency: "unbounded" })
        const charged = answers.reduce((sum, answer) => sum + (answer.charged ?? 0), 0)
        // Grants and corrections of one reference return the same receipt; repeated ones change nothing.
        let added = 0
        for (const [i, command] of commands.entries()) {
          if (answers[i]?.repeated === false) added += command.amount
        }
        const amounts = yield* amountsOf(account)
        let balance = 0
        for (const amount of amounts) {
          balance += amount
          assert.isAtLeast(balance, 0)
        }
        assert.strictEqual(balance, opening + added - charged)
        assert.notInclude(amounts, 0)
      }),
    { arbitrary }
  )
}

/** The result of a command, or the tag of its error. */
interface Answer {
  readonly charged?: number
  readonly repeated?: boolean
  readonly balance?: number
  readonly error?: string
}

/** The reference implementation. */
class LedgerModel {
  readonly amounts: Array<number>
  private readonly grants = new Map<number, { readonly amount: number; readonly balance: number }>()
  private readonly corrections = new Map<number, { readonly command: Correction; readonly balance: number }>()
  private readonly requests = new Map<number, { readonly fingerprint: number; charged: number }>()

  constructor(opening: number) {
    this.amounts = opening > 0 ? [opening] : []
  }

  get balance(): number {
    return this.amounts.reduce((sum, amount) => sum + amount, 0)
  }

  run(command: Command): Answer {
    switch (command.type) {
      case "grant":
        return this.grant(command)
      case "correction":
        return this.correct(command)
      case "charge":
        return this.charge(command)
    }
  }

  private grant({ amount, reference }: Command & { type: "grant" }): Answer {
    const before = this.grants.get(reference)
    if (before !== undefined) {
      return before.amount === amount ? { balance: before.balance, repeated: true } : { error: "Conflict" }
    }
    this.amounts.push(amount)
    this.grants.set(reference, { amount, balance: this.balance })
    return { balance: this.balance, repeated: false }
  }

  private correct(command: Correction): Answer {
    const { amount, kind, reference } = command
    const before = this.corrections.get(reference)
    if (before !== undefined) {
      const isSame = before.command.amount === amount && before.command.kind === kind
      return isSame ? { balance: before.balance, repeated: true } : { error: "Conflict" }
    }
    if (this.balance + amount < 0) return { error: "Conflict" }
    this.amounts.push(amount)
    this.corrections.set(reference, { command, balance: this.balance })
    return { balance: this.balance, repeated: false }
  }

  private charge({ amount, fingerprint, idempotency }: Command & { type: "charge" }): Answer {
    const before = idempotency === 3 ? undefined : this.requests.get(idempotency)
    if (before !== undefined && before.fingerprint !== fingerprint) return { error: "IdempotencyKeyReused" }
    const due = Math.max(0, amount - (before?.charged ?? 0))
    if (due > this.balance) return { error: "InsufficientCredits" }
    if (due > 0) this.amounts.push(-due)
    if (idempotency !== 3) this.requests.set(idempotency, { fingerprint, charged: (before?.charged ?? 0) + due })
    return { charged: due, balance: this.balance }
  }
}

/** A new balance, and a function that runs a command on it. */
const openLedger = Effect.fnUntraced(function* (opening: number) {
  const ledger = yield* CreditLedger
  const { account, charge: chargeOf } = yield* openAccount(opening, { environment: "live" })
  const name = unique("model")

  const shown = ({ balance, repeated }: EntryReceipt) => ({ balance, repeated })
  const grant = ({ amount, reference }: Command & { type: "grant" }) =>
    Effect.map(ledger.grant({ ...account, amount, reference: `${name} ${reference}` }), shown)
  const correct = ({ amount, kind, reference }: Correction) =>
    Effect.map(ledger.correct({ ...account, amount, kind, note: name, reference: `${name} ${reference}` }), shown)
  const charge = ({ amount, fingerprint, idempotency }: Command & { type: "charge" }) =>
    ledger.charge(
      chargeOf(amount, {
        ...(idempotency < 3 && { idempotency: { key: `${name} ${idempotency}`, fingerprint: `f${fingerprint}` } })
      })
    )
  const answer = (command: Command) => {
    switch (command.type) {
      case "grant":
        return grant(command)
      case "correction":
        return correct(command)
      case "charge":
        return charge(command)
    }
  }
  const run = (command: Command): Effect.Effect<Answer> =>
    Effect.catch<Answer, { readonly _tag: string }, never, Answer, never, never>(answer(command), ({ _tag }) =>
      Effect.succeed({ error: _tag })
    )
  return { account, run }
})

/** The amounts of all entries, oldest first. */
const amountsOf = (account: CreditAccount) =>
  Effect.map(entriesOf(account), (entries) => entries.map(({ amount }) => amount).toReversed())
