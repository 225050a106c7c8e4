/** Conformance suite of the port `Notices`, with mail on. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Accounts } from "@postcode/gateway/accounts/Accounts"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { NoticeKind, NoticeSettlement } from "@postcode/gateway/notices/Notice"
import { type LeasedNotice, Notices, type PersonalNotice } from "@postcode/gateway/notices/Notices"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { WebhookQueue } from "@postcode/gateway/webhooks/WebhookQueue"
import { Webhooks } from "@postcode/gateway/webhooks/Webhooks"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPaging, readAll } from "../../fixtures/Paging.ts"
import { unique } from "../../fixtures/Records.ts"
import { member, operatorAccount } from "../accounts/AccountsSuite.ts"
import { openAccount } from "../credits/CreditAccounts.ts"
import { newTestEvent, storedWebhook } from "../webhooks/WebhooksSuite.ts"

type Ports = Accounts | ApiKeys | CreditLedger | Notices | Organizations | WebhookQueue | Webhooks
type It = Vitest.MethodsNonLive<Ports>

/** What the suite needs of an adapter. */
export interface NoticesOptions {
  /** Advances the clock of the adapter and its notices. */
  readonly advance: (duration_ms: number) => Effect.Effect<void, unknown>
}

/** The limits that the adapter of the suite must have. */
export const suiteNoticeLimits = { isOn: true, address_per_hour: 5, client_per_hour: 20, per_day: 100 } as const

/**
 * Registers the tests of the port `Notices`.
 *
 * @param adapter with `suiteNoticeLimits`; nothing else takes from it
 */
export const noticesSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>, options: NoticesOptions): void =>
  layer(adapter, { excludeTestServices: true })(`Notices ${name}`, (it) => {
    addPersonalTests(it)
    addRoleTests(it)
    addChargeTests(it)
    addDisabledTests(it)
    addLimitTests(it, options)
    addDelayTests(it, options)
    addLeaseTests(it, options)
    addReviewTests(it, options)
    addListTests(it)
    addDayTests(it, options)
  })

const addPersonalTests = (it: It): void => {
  it.effect("a notice to an address is leased with its sealed token, which is removed once it is settled", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const wanted = newNotice({ link_expires_at: "2030-01-01T00:00:00.000Z" })
      assert.strictEqual(yield* notices.add(wanted), "stored")
      const [leased, ...none] = yield* leaseAll
      assert.deepStrictEqual(none, [])
      assert.strictEqual(leased?.sealed_token, wanted.sealed_token)
      assert.isUndefined(leased?.organization_name)
      const { email = "", facts, id, kind, link_expires_at = "" } = wanted
      assert.deepInclude(leased?.notice, { id, kind, email, facts, link_expires_at, status: "pending", attempts: 1 })
      yield* settle(leased, { status: "pending", after_ms: 0, fault: "452 later" })
      const [again] = yield* leaseAll
      assert.strictEqual(again?.sealed_token, wanted.sealed_token)
      assert.deepInclude(again?.notice, { attempts: 2, fault: "452 later" })
      yield* settle(again, { status: "sent" })
      const sent = yield* notices.get(id)
      assert.deepInclude(sent, { status: "sent", attempts: 2 })
      for (const absent of ["fault", "next_attempt_at", "token", "sealed_token"]) assert.notProperty(sent, absent)
      yield* failsWith(notices.get("ntc_unknown"), "NotFound")
    })
  )

  it.effect("a notice to an account goes to its address; to an account that is gone, nowhere", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const { account } = yield* member("developer")
      const facts = { how: "changed" }
      const of = { kind: "password_changed", facts, email: undefined, sealed_token: undefined } as const
      assert.strictEqual(yield* notices.add(newNotice({ ...of, account_id: account.id })), "stored")
      assert.strictEqual(yield* notices.add(newNotice({ ...of, account_id: unique("acc") })), "off")
      const [leased, ...none] = yield* leaseAll
      assert.deepStrictEqual(none, [])
      assert.deepInclude(leased?.notice, { email: account.email, account_id: account.id, facts })
      yield* settle(leased, { status: "sent" })
    })
  )
}

const addRoleTests = (it: It): void => {
  it.effect("a notice about an organization goes to each of its accounts with a role of the kind, with its name", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const owner = yield* member("owner")
      const { organization_id } = owner
      const billing = yield* member("billing", organization_id)
      yield* member("developer", organization_id)
      yield* member("owner")
      const facts = { organization_id, environment: "live", balance: 3 } as const
      assert.strictEqual(yield* notices.add({ kind: "balance_used_up", facts }), "stored")
      const leased = yield* leaseAll
      assert.sameMembers(emailsOf(leased), [owner.account.email, billing.account.email])
      for (const { notice, organization_name } of leased) {
        assert.deepInclude(notice, { organization_id, facts })
        assert.strictEqual(organization_name, "Dangote Parcels")
      }
      yield* settleAll(leased)
    })
  )

  it.effect("a kind that an account has switched off is not stored for it, and only for it", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const quiet = yield* member("owner")
      const { organization_id } = quiet
      const other = yield* member("owner", organization_id)
      assert.deepStrictEqual(yield* notices.switchedOff(quiet.account.id), [])
      yield* notices.switchOff(quiet.account.id, ["key_expires", "balance_low"])
      assert.sameMembers([...(yield* notices.switchedOff(quiet.account.id))], ["balance_low", "key_expires"])
      yield* notices.switchOff(unique("acc"), ["key_expires"])
      const key = { environment: "test", key_id: "key_1", expires_at: "2030-01-01T00:00:00.000Z" } as const
      yield* notices.add({ kind: "key_expires", facts: { organization_id, ...key } })
      yield* notices.add({ kind: "verification_decided", facts: { organization_id, kyb_status: "verified" } })
      const leased = yield* leaseAll
      assert.sameMembers(
        leased.map(({ notice }) => `${notice.kind} ${notice.email}`),
        [
          `key_expires ${other.account.email}`,
          `verification_decided ${other.account.email}`,
          `verification_decided ${quiet.account.email}`
        ]
      )
      yield* settleAll(leased)
      yield* notices.switchOff(quiet.account.id, [])
      assert.deepStrictEqual(yield* notices.switchedOff(quiet.account.id), [])
    })
  )

  it.effect("an event for webhooks is also a notice, if its type is one", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { account, organization_id } = yield* member("owner")
      yield* webhooks.announce({ type: "organization.suspended", data: { organization_id } })
      const decided = { organization_id, access_request_id: "acr_1", level: 4, status: "approved" } as const
      yield* webhooks.announce({ type: "access_request.decided", data: decided })
      const leased = yield* leaseAll
      assert.deepStrictEqual(emailsOf(leased), [account.email])
      assert.deepInclude(leased[0]?.notice, {
        kind: "access_decided",
        facts: { organization_id, level: 4, status: "approved" }
      })
      yield* settleAll(leased)
    })
  )
}

const addChargeTests = (it: It): void => {
  it.effect("charges that leave a low balance, are refused for the rest, or use it up, are told by mail", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { account, charge } = yield* openAccount(10)
      const { account: owner } = yield* member("owner", account.organization_id)
      yield* member("developer", account.organization_id)
      yield* ledger.setThreshold(account, 5)
      yield* ledger.charge(charge(7))
      for (let i = 0; i < 3; i++) yield* Effect.result(ledger.charge(charge(4)))
      yield* ledger.charge(charge(3))
      yield* Effect.result(ledger.charge(charge(1)))
      const leased = yield* leaseAll
      assert.deepStrictEqual([...new Set(emailsOf(leased))], [owner.email])
      assert.deepStrictEqual(
        leased.map(({ notice }) => [notice.kind, notice.facts]),
        [
          ["balance_low", { ...account, balance: 3, threshold: 5 }],
          ["balance_used_up", { ...account, balance: 3 }],
          ["balance_used_up", { ...account, balance: 0 }]
        ]
      )
      yield* settleAll(leased)
    })
  )
}

const addDisabledTests = (it: It): void => {
  it.effect("a webhook that is disabled is told once, with the settlement that disables it", () =>
    Effect.gen(function* () {
      const queue = yield* WebhookQueue
      const { account, organization_id } = yield* member("developer")
      const endpoint = yield* storedWebhook(organization_id)
      const webhooks = yield* Webhooks
      yield* webhooks.enqueue(endpoint.id, newTestEvent())
      yield* webhooks.enqueue(endpoint.id, newTestEvent())
      const gone = { status: "failed", last_status: 410, disables: true } as const
      const [first] = yield* queue.lease(100, lease_ms)
      assert.isDefined(first)
      yield* queue.settle(first, gone)
      yield* queue.settle({ ...first, lease: first.lease - 1 }, gone)
      const leased = yield* leaseAll
      assert.deepStrictEqual(emailsOf(leased), [account.email])
      assert.deepInclude(leased[0]?.notice, {
        kind: "webhook_disabled",
        facts: { organization_id, webhook_id: endpoint.id }
      })
      yield* settleAll(leased)
    })
  )
}

const addLimitTests = (it: It, { advance }: NoticesOptions): void => {
  it.effect("anyone can cause five notices an hour to an address, also concurrently, whatever they are", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const email = newEmail()
      const kinds: ReadonlyArray<NoticeKind> = ["confirm_address", "reset_password", "already_has_account"]
      const asked = Array.from({ length: 12 }, (_, i) =>
        newNotice({ email, kind: kinds[i % 3] as NoticeKind, isWithheld: i % 4 === 0 })
      )
      const outcomes = yield* Effect.forEach(asked, notices.add, { concurrency: "unbounded" })
      assert.lengthOf(
        outcomes.filter((outcome) => outcome === "stored"),
        5
      )
      assert.lengthOf(
        outcomes.filter((outcome) => outcome === "limited"),
        7
      )
      yield* settleAll(yield* leaseAll)
      yield* advance(hour_ms - 60_000)
      assert.strictEqual(yield* notices.add(newNotice({ email })), "limited")
      yield* advance(61_000)
      assert.strictEqual(yield* notices.add(newNotice({ email })), "stored")
      yield* settleAll(yield* leaseAll)
    })
  )

  it.effect("a client causes twenty notices an hour, to all addresses together", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const client_hash = unique("client")
      const asked = Array.from({ length: 25 }, () => newNotice({ client_hash }))
      const outcomes = yield* Effect.forEach(asked, notices.add, { concurrency: "unbounded" })
      assert.lengthOf(
        outcomes.filter((outcome) => outcome === "stored"),
        20
      )
      assert.strictEqual(yield* notices.add(newNotice({ client_hash: unique("client") })), "stored")
      assert.strictEqual(yield* notices.add(newNotice()), "stored")
      yield* settleAll(yield* leaseAll)
      yield* advance(hour_ms + 1_000)
      assert.strictEqual(yield* notices.add(newNotice({ client_hash })), "stored")
      yield* settleAll(yield* leaseAll)
    })
  )
}

const addDelayTests = (it: It, { advance }: NoticesOptions): void => {
  it.effect("a withheld notice is counted, but never leased, and has no token", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const withheld = newNotice({ kind: "reset_password", isWithheld: true })
      assert.strictEqual(yield* notices.add(withheld), "stored")
      assert.deepStrictEqual(yield* leaseAll, [])
      const stored = yield* notices.get(withheld.id)
      assert.deepInclude(stored, { status: "skipped", attempts: 0 })
      assert.notProperty(stored, "next_attempt_at")
    })
  )

  it.effect("notices about an organization wait if there are more than five an hour; none is lost", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const { account, organization_id } = yield* member("owner")
      const facts = { organization_id, kyb_status: "verified" } as const
      yield* Effect.replicateEffect(notices.add({ kind: "verification_decided", facts }), 7)
      const first = yield* leaseAll
      assert.lengthOf(first, 5)
      yield* settleAll(first)
      // Notices of its own safety are never held back.
      yield* notices.add(newNotice({ kind: "signed_out_everywhere", email: undefined, account_id: account.id }))
      const safety = yield* leaseAll
      assert.deepStrictEqual(
        safety.map(({ notice }) => notice.kind),
        ["signed_out_everywhere"]
      )
      yield* settleAll(safety)
      yield* advance(hour_ms + 1_000)
      const rest = yield* leaseAll
      assert.lengthOf(rest, 2)
      yield* settleAll(rest)
    })
  )
}

const addLeaseTests = (it: It, { advance }: NoticesOptions): void => {
  it.effect("each notice is leased once, also by concurrent senders", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const wanted = Array.from({ length: 12 }, () => newNotice())
      yield* Effect.forEach(wanted, notices.add)
      const leased = yield* Effect.replicateEffect(leaseSome(3), 10, { concurrency: "unbounded" })
      const all = [...leased.flat(), ...(yield* leaseAll)]
      assert.sameMembers(idsOf(all), idsOf(wanted.map((notice) => ({ notice }))))
      yield* settleAll(all)
    })
  )

  it.effect("an expired lease is leased again; the earlier one settles nothing", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const { id } = yield* added()
      const [lost] = yield* leaseAll
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* advance(lease_ms + 1)
      const [found] = yield* leaseAll
      assert.deepInclude(found?.notice, { id, attempts: 2 })
      yield* settle(lost, { status: "failed", fault: "too late" })
      assert.deepInclude(yield* notices.get(id), { status: "pending" })
      yield* settle(found, { status: "sent" })
      yield* settle(lost, { status: "failed", fault: "too late" })
      assert.deepInclude(yield* notices.get(id), { status: "sent", attempts: 2 })
    })
  )

  it.effect("a delayed notice is due after its delay; a failed or skipped one never again", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const { id } = yield* added()
      const [first] = yield* leaseAll
      yield* settle(first, { status: "pending", after_ms: hour_ms, fault: "421 too busy" })
      yield* advance(hour_ms - 10_000)
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* advance(10_001)
      const [second] = yield* leaseAll
      assert.deepInclude(second?.notice, { id, attempts: 2 })
      yield* settle(second, { status: "failed", fault: "550 no such mailbox" })
      yield* added()
      const [other] = yield* leaseAll
      yield* settle(other, { status: "skipped", fault: "its link has expired" })
      yield* advance(30 * hour_ms)
      assert.deepStrictEqual(yield* leaseAll, [])
      assert.deepInclude(yield* notices.get(id), { status: "failed", fault: "550 no such mailbox" })
    })
  )

  it.effect("what a person waits for is leased before other notices, even if those are older", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const { organization_id } = yield* member("owner")
      yield* notices.add({ kind: "verification_decided", facts: { organization_id, kyb_status: "rejected" } })
      yield* advance(1_000)
      yield* added({ kind: "reset_password" })
      const leased = yield* leaseAll
      assert.deepStrictEqual(
        leased.map(({ notice }) => notice.kind),
        ["reset_password", "verification_decided"]
      )
      yield* settleAll(leased)
    })
  )
}

const addReviewTests = (it: It, { advance }: NoticesOptions): void => {
  it.effect("an operator gets one notice of reviews an hour, however many there are, and the last is not lost", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const operator = yield* operatorAccount
      const add = notices.add({ kind: "review_waiting", facts: {} })
      const mine = Effect.map(leaseAll, (leased) => leased.filter(({ notice }) => notice.email === operator.email))
      yield* Effect.replicateEffect(add, 5, { concurrency: "unbounded" })
      const first = yield* mine
      assert.lengthOf(first, 1)
      yield* settleAll(first)
      yield* Effect.replicateEffect(add, 3)
      assert.deepStrictEqual(yield* mine, [])
      yield* advance(hour_ms + 1_000)
      const second = yield* mine
      assert.lengthOf(second, 1)
      yield* settleAll(second)
      yield* advance(hour_ms + 1_000)
      assert.deepStrictEqual(yield* mine, [])
    })
  )
}

const addListTests = (it: It): void => {
  it.effect("the list has the notices that match, newest first, in pages", () =>
    Effect.gen(function* () {
      const notices = yield* Notices
      const email = newEmail()
      const kind = "address_changed"
      const add = Effect.suspend(() => {
        const notice = newNotice({ email, kind })
        return Effect.as(notices.add(notice), notice)
      })
      const made = yield* Effect.replicateEffect(add, 5)
      yield* added()
      yield* checkPaging({
        list: (page) => notices.list({ email }, page),
        idOf: ({ id }) => id,
        ids: made.map(({ id }) => id),
        isPrivate: true,
        add
      })
      const of = (filter: Parameters<typeof notices.list>[0]) => readAll((page) => notices.list(filter, page))
      assert.deepStrictEqual(yield* of({ email, status: "sent" }), [])
      assert.deepStrictEqual(yield* of({ email, kind: "invitation" }), [])
      assert.isAtLeast((yield* of({ email, kind, status: "pending" })).length, 5)
      yield* settleAll(yield* leaseAll)
    })
  )
}

/** Last, because it uses up the day. */
const addDayTests = (it: It, { advance }: NoticesOptions): void => {
  it.effect("no more are sent in 24 hours than the limit of a day; the others wait", () =>
    Effect.gen(function* () {
      yield* settleAll(yield* leaseAll)
      yield* advance(25 * hour_ms)
      yield* Effect.replicateEffect(added(), 110)
      const first = yield* leaseSome(60)
      assert.lengthOf(first, 60)
      const second = yield* leaseAll
      assert.lengthOf(second, 40)
      yield* settleAll([...first, ...second])
      assert.deepStrictEqual(yield* leaseAll, [])
      yield* advance(24 * hour_ms + 1_000)
      const rest = yield* leaseAll
      assert.lengthOf(rest, 10)
      yield* settleAll(rest)
    })
  )
}

const hour_ms = 3_600_000
const lease_ms = 60_000

const newEmail = () => `${unique("ada").toLowerCase()}@people.example`

/** A notice to an address with these fields overridden. */
export const newNotice = (fields: Partial<PersonalNotice> = {}): PersonalNotice => ({
  id: unique("ntc"),
  kind: "confirm_address",
  facts: {},
  email: newEmail(),
  account_id: undefined,
  sealed_token: unique("sealed"),
  link_expires_at: undefined,
  client_hash: undefined,
  isWithheld: false,
  ...fields
})

const added = (fields: Partial<PersonalNotice> = {}) =>
  Effect.gen(function* () {
    const notice = newNotice(fields)
    yield* (yield* Notices).add(notice)
    return notice
  })

const leaseSome = (limit: number) => Effect.flatMap(Notices, (notices) => notices.lease(limit, lease_ms))
const leaseAll = leaseSome(1_000)

const settle = (leased: LeasedNotice | undefined, settlement: NoticeSettlement) =>
  Effect.flatMap(Notices, (notices) =>
    leased === undefined ? Effect.die(new Error("nothing was leased")) : notices.settle(leased, settlement)
  )

const settleAll = (leased: ReadonlyArray<LeasedNotice>) =>
  Effect.forEach(leased, (one) => settle(one, { status: "sent" }), { discard: true })

const emailsOf = (leased: ReadonlyArray<LeasedNotice>) => leased.map(({ notice }) => notice.email)
const idsOf = (leased: ReadonlyArray<{ readonly notice: { readonly id: string } }>) =>
  leased.map(({ notice }) => notice.id)
