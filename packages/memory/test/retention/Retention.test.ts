import { assert, describe, it } from "@effect/vitest"
import { member, storedKey, storedOrganization } from "@postcode/conformance"
import type { Environment } from "@postcode/core/Credits"
import type { Postcode } from "@postcode/core/Postcode"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { type AuditAction, type AuditEvent, type AuditFilter, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { Page, PageRequest } from "@postcode/gateway/Page"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
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
    challenges: 3,
    notices: 10
  })
)

const environment: Environment = "test"
const all: PageRequest = { limit: 100, cursor: undefined }

describe("data of requests is kept up to a maximum over all organizations", () => {
  it.effect("ledger entries: statements have the newest, and balances include all", () =>
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

  it.effect("events and selections: the newest of each organization are listed", () =>
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

  it.effect(
    "events of one organization drop no event of another, and events of sessions drop no event of management",
    () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const selections = yield* Selections
        const event = (id: string, action: AuditAction, organization_id?: string) => ({
          id,
          at: new Date(0).toISOString(),
          actor: "operator",
          action,
          subject: "subject",
          details: {},
          ...(organization_id !== undefined && { organization_id })
        })
        const few: ReadonlyArray<readonly [string, AuditAction, string?]> = [
          ["calm", "key.created", "calm"],
          ["busy", "key.created", "busy"],
          ["nobody's", "directory.imported"]
        ]
        for (const each of few) yield* log.append(event(...each))
        const postcode = "LA-11-B03-PD-01" as Postcode
        const select = (id: string, organization_id: string) =>
          selections.record({
            id,
            organization_id,
            key_id: "key",
            environment,
            postcode,
            at: new Date(0).toISOString()
          })
        yield* select("calm", "calm")
        for (let i = 1; i <= 10_000; i++) {
          yield* log.append(event(`${i}`, "widget_session.requested", "busy"))
          yield* log.append(event(`saved ${i}`, "end_user.saved"))
          yield* select(`${i}`, "busy")
        }
        const list = (filter: AuditFilter, page = all) => Effect.map(log.list(filter, page), ({ items }) => items)
        const ids = (items: ReadonlyArray<{ readonly id: string }>) => items.map(({ id }) => id)
        assert.deepStrictEqual(ids(yield* list({ organization_id: "calm" })), ["calm"])
        const own = ids(yield* list({ organization_id: "busy" }))
        assert.deepStrictEqual([own[0], own.at(-1)], ["10000", "busy"])
        assert.deepStrictEqual(ids(yield* list({ actions: ["directory.imported", "key.created"] })), [
          "nobody's",
          "busy",
          "calm"
        ])
        const everything = ids(yield* list({}))
        assert.lengthOf(everything, 10)
        assert.deepStrictEqual(everything.slice(-3), ["nobody's", "busy", "calm"])
        const paged: Array<string> = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const { items, next_cursor }: Page<AuditEvent> = yield* log.list({}, { limit: 3, cursor })
          paged.push(...ids(items))
          cursor = next_cursor
        }
        assert.deepStrictEqual(paged, everything)
        assert.deepStrictEqual(ids((yield* selections.list("calm", all)).items), ["calm"])
        assert.lengthOf((yield* selections.list("busy", all)).items, 9)
      }).pipe(Effect.provide(store))
  )

  it.effect("challenges for passkeys: the newest are valid, even if others were used meanwhile", () =>
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

  it.effect("sessions of one account: the newest 100 stay valid, and so do those of other accounts", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const session = (account_id: string, epoch: number) => ({
        account_id,
        epoch,
        created_at: "2026-02-01",
        ends_at: "2026-02-02"
      })
      const [busy, other] = [yield* member("owner"), yield* member("owner")]
      yield* sessions.start("other", session(other.account.id, other.epoch))
      for (let i = 1; i <= 103; i++) yield* sessions.start(`${i}`, session(busy.account.id, busy.epoch))
      const found = (hash: string) => Effect.map(sessions.find(hash, "2026-02-01"), (one) => one !== undefined)
      const expected = [true, false, false, true, true]
      assert.deepStrictEqual(yield* Effect.forEach(["other", "1", "3", "4", "103"], found), expected)
    }).pipe(Effect.provide(store))
  )

  it.effect("invitations that have ended: the next created one removes them", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id: organization_id } = yield* storedOrganization()
      const invite = (number: number) => {
        const made = {
          id: `${number}`,
          role: "developer",
          email: `${number}@people.example`,
          organization_id,
          created_by: "operator",
          is_claim: false
        } as const
        const [created_at, expires_at] = [day(number), day(number + 7)]
        return accounts.invite({ ...made, created_at, expires_at }, `hash ${number}`, undefined)
      }
      for (let number = 1; number <= 20; number++) yield* invite(number)
      const isKept = (number: number) =>
        Effect.match(accounts.invitation(`${number}`), { onSuccess: () => true, onFailure: () => false })
      assert.deepStrictEqual(yield* Effect.forEach([1, 13, 14, 20], isKept), [false, false, true, true])
      const { items } = yield* accounts.invitations({ organization_id }, day(20), all)
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        ["20", "19", "18", "17", "16", "15", "14"]
      )
    }).pipe(Effect.provide(store))
  )
})

const day = (number: number): string => new Date(number * 86_400_000).toISOString()
