import { assert, describe, it } from "@effect/vitest"
import type { Environment } from "@postcode/core/Credits"
import type { PageRequest } from "@postcode/core/Page"
import type { Postcode } from "@postcode/core/Postcode"
import { AuditLog } from "@postcode/core/ports/AuditLog"
import { CreditLedger } from "@postcode/core/ports/CreditLedger"
import { Passkeys } from "@postcode/core/ports/Passkeys"
import { Selections } from "@postcode/core/ports/Selections"
import { storedKey, storedOrganization } from "@postcode/core/testing/Fixtures"
import { MemoryStore, Retention } from "@postcode/memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

const store = Layer.provide(
  Layer.provideMerge(MemoryStore.layer, TestClock.layer()),
  Layer.succeed(Retention, {
    ledgerEntries: 10,
    auditEvents: 10,
    selections: 10,
    idempotencyKeys: 3,
    challenges: 3
  })
)

const environment: Environment = "test"
const all: PageRequest = { limit: 100, cursor: undefined }

describe("what requests cause is kept up to a bound, over all organizations", () => {
  it.effect("entries of accounts: the newest are in statements, and balances count them all", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const customers = yield* Effect.forEach([1, 2], () =>
        Effect.gen(function* () {
          const { id } = yield* storedOrganization({ test: 10_000 })
          return { id, key_id: (yield* storedKey(id)).record.id }
        })
      )
      const statementOf = (id: string, page = all) =>
        Effect.map(ledger.statement({ organization_id: id, environment }, page), ({ balance, entries }) => ({
          balance,
          references: entries.items.map(({ reference }) => reference),
          ids: entries.items.map(({ id }) => id.split("_").at(-1)),
          next: entries.next_cursor
        }))
      for (let i = 1; i <= 6_000; i++) {
        const { id: organization_id, key_id } = customers[i % 3 === 0 ? 0 : 1] as (typeof customers)[number]
        const charge = {
          organization_id,
          environment,
          key_id,
          amount: 1,
          reason: "lookup",
          request_id: `${i}`
        } as const
        yield* ledger.charge(charge)
      }
      const [first = { id: "" }, second = { id: "" }] = customers
      assert.deepStrictEqual(yield* statementOf(first.id), {
        balance: 8_000,
        references: ["6000", "5997", "5994", "5991"],
        ids: ["2000", "1999", "1998", "1997"],
        next: null
      })
      const { balance, next, references } = yield* statementOf(second.id, { limit: 4, cursor: undefined })
      assert.deepStrictEqual({ balance, references }, { balance: 6_000, references: ["5999", "5998", "5996", "5995"] })
      const rest = yield* statementOf(second.id, { limit: 4, cursor: next ?? "" })
      assert.deepStrictEqual([rest.references, rest.next], [["5993", "5992"], null])
    }).pipe(Effect.provide(store))
  )

  it.effect("events and selections: the newest are listed, those of an organization apart", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const selections = yield* Selections
      const at = new Date(0).toISOString()
      for (let i = 1; i <= 40; i++) {
        const organization_id = `organization ${i % 4}`
        const of = i % 4 === 0 ? {} : { organization_id }
        yield* log.append({
          id: `${i}`,
          at,
          actor: "operator",
          action: "key.created",
          subject: "key",
          details: {},
          ...of
        })
        const postcode = "LA-11-B03-PD-01" as Postcode
        yield* selections.record({ id: `${i}`, organization_id, key_id: "key", environment, postcode, at })
      }
      const ids = ({ items }: { readonly items: ReadonlyArray<{ readonly id: string }> }) => items.map(({ id }) => id)
      const expected = Array.from({ length: 10 }, (_, i) => `${40 - i}`)
      assert.deepStrictEqual(ids(yield* log.list({}, all)), expected)
      assert.deepStrictEqual(ids(yield* log.list({ organization_id: "organization 3" }, all)), ["39", "35", "31"])
      assert.deepStrictEqual(ids(yield* selections.list("organization 0", all)), ["40", "36", "32"])
      assert.deepStrictEqual(ids(yield* selections.list("organization 1", all)), ["37", "33"])
    }).pipe(Effect.provide(store))
  )

  it.effect("challenges for passkeys: the newest may be answered, whatever was answered in between", () =>
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const expires_at = new Date(300_000).toISOString()
      const now = new Date(0).toISOString()
      const taken = (hash: string) => Effect.map(passkeys.takeChallenge(hash, now), (found) => found !== undefined)
      for (let i = 1; i <= 5; i++) yield* passkeys.keepChallenge(`${i}`, { account_id: undefined, expires_at })
      assert.deepStrictEqual(yield* Effect.forEach(["1", "2", "3", "4"], taken), [false, false, true, true])
      for (let i = 6; i <= 7; i++) yield* passkeys.keepChallenge(`${i}`, { account_id: undefined, expires_at })
      assert.deepStrictEqual(yield* Effect.forEach(["5", "6", "7", "7"], taken), [true, true, true, false])
    }).pipe(Effect.provide(store))
  )
})
