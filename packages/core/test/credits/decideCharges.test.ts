/** The decision about charges beside a reference that works everything out anew for each charge. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import type { Charge } from "../../src/credits/Charge.ts"
import {
  assertCredits,
  type ChargeableAccount,
  type ChargeableKey,
  decideCharges,
  decideCorrection,
  type IdempotencyRecord,
  lowBalance,
  repeatedCorrection,
  repeatedGrant
} from "../../src/credits/decideCharges.ts"

const now_ms = Date.parse("2026-01-31T23:59:30.500Z")
const day_ms = 86_400_000

const org = { organization_id: "org", environment: "live" } as const

const noLimits = { daily_credit_limit: undefined, expires_at_ms: undefined, is_revoked: false }

/** By their ids: one without a limit, two with one, and all sorts that may not be charged. */
const keys: Readonly<Record<string, ChargeableKey>> = Object.fromEntries(
  [
    { id: "plain" },
    { id: "limited", daily_credit_limit: 9 },
    { id: "ending", daily_credit_limit: 4, expires_at_ms: now_ms + 1 },
    { id: "expired", expires_at_ms: now_ms },
    { id: "revoked", is_revoked: true },
    { id: "both", is_revoked: true, expires_at_ms: now_ms },
    { id: "test", environment: "test" as const },
    { id: "foreign", organization_id: "other" }
  ].map((key) => [key.id, { ...org, ...noLimits, chain_id: key.id, ...key }])
)
const ids = [...Object.keys(keys), "unknown"]

/** What is charged today before the batch. */
const chargedToday: Readonly<Record<string, number>> = { limited: 5 }

/** What is known of idempotency keys before the batch: `old` has expired. */
const records: Readonly<Record<string, IdempotencyRecord>> = {
  known: { fingerprint: "a", charged: 2, expires_at_ms: now_ms + 1 },
  old: { fingerprint: "b", charged: 9, expires_at_ms: now_ms }
}

const few = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Charges = Schema.Array(
  Schema.Struct({
    // The first keys come most often.
    key: few(20),
    amount: few(6),
    level: few(4),
    idempotency: few(6),
    fingerprint: few(1)
  })
).check(Schema.isMaxLength(30))

const toCharge = (
  { amount, fingerprint, idempotency, key, level }: (typeof Charges.Type)[number],
  i: number
): Charge => ({
  ...org,
  key_id: ids[key] ?? (key % 2 === 0 ? "plain" : "limited"),
  amount,
  reason: "lookup",
  request_id: `request ${i}`,
  ...(level > 0 && { level: level as 1 | 2 | 3 | 4 }),
  ...(idempotency < 3 && {
    idempotency: { key: ["known", "old", "new"][idempotency] ?? "", fingerprint: fingerprint === 0 ? "a" : "b" }
  })
})

const accountWith = (fields: Partial<ChargeableAccount>): ChargeableAccount => ({
  ...org,
  balance: 20,
  low_balance_threshold: null,
  is_shortage_reported: false,
  organization: { granted_level: 3, is_active: true, is_verified: true },
  findKey: (id) => keys[id],
  findToday: (id) => (id === "limited" ? { charged: 5 } : undefined),
  findRecord: (key_id, key) => (key_id === "plain" || key_id === "limited" ? records[key] : undefined),
  ...fields
})

/** What was taken so far: each charge that succeeded, with what it took. */
type Taken = ReadonlyArray<{ readonly charge: Charge; readonly due: number }>

const sum = (taken: Taken): number => taken.reduce((total, { due }) => total + due, 0)

/** The name of a failure, or what was taken. */
const expectedOutcome = (account: ChargeableAccount, charge: Charge, taken: Taken): string | number => {
  const key = keys[charge.key_id]
  if (key === undefined || ["revoked", "both", "test", "foreign"].includes(key.id)) return "InvalidApiKey"
  if (key.id === "expired") return "InvalidApiKey"
  if (!account.organization.is_active) return "OrganizationSuspended"
  if (!account.organization.is_verified) return "KybRequired"
  if (charge.level === 4) return "GrantLowered"
  const { idempotency } = charge
  const same = taken.filter(
    (other) => other.charge.key_id === key.id && idempotency && other.charge.idempotency?.key === idempotency.key
  )
  const known = idempotency?.key === "known" ? account.findRecord(key.id, "known") : undefined
  const fingerprint = known?.fingerprint ?? same[0]?.charge.idempotency?.fingerprint
  if (fingerprint !== undefined && fingerprint !== idempotency?.fingerprint) return "IdempotencyKeyReused"
  const due = Math.max(0, charge.amount - (known?.charged ?? 0) - sum(same))
  const today = (chargedToday[key.id] ?? 0) + sum(taken.filter((other) => other.charge.key_id === key.id))
  const limit = key.daily_credit_limit ?? Number.POSITIVE_INFINITY
  if (due > 0 && due > limit) return "PriceAboveDailyLimit"
  if (due > 0 && today + due > limit) return "DailyLimitReached"
  if (due > account.balance - sum(taken)) return "InsufficientCredits"
  return due
}

/** The data of the event for the first charge that uses up the daily limit, or fails because of it. */
const expectedReport = (
  charges: ReadonlyArray<Charge>,
  outcomes: ReturnType<typeof decideCharges>["outcomes"],
  key_id: string
) => {
  const daily_credit_limit = keys[key_id]?.daily_credit_limit ?? 0
  let credits_today = chargedToday[key_id] ?? 0
  for (const [i, outcome] of outcomes.entries()) {
    if (charges[i]?.key_id !== key_id) continue
    if (Result.isSuccess(outcome)) credits_today += outcome.success.charged
    const isReached = Result.isSuccess(outcome)
      ? outcome.success.charged > 0 && credits_today === daily_credit_limit
      : outcome.failure._tag === "DailyLimitReached"
    if (isReached) return { ...org, key_id, daily_credit_limit, credits_today }
  }
  return undefined
}

/** The balance above 0 that the first charge was refused at, because it costs more; undefined without one. */
const expectedShortage = (
  opening: number,
  outcomes: ReturnType<typeof decideCharges>["outcomes"]
): number | undefined => {
  let balance = opening
  for (const outcome of outcomes) {
    if (Result.isSuccess(outcome)) balance -= outcome.success.charged
    else if (outcome.failure._tag === "InsufficientCredits" && balance > 0) return balance
  }
  return undefined
}

const usedUp = (balance: number) => ({ type: "credits.used_up" as const, data: { ...org, balance } })

const shown = (outcome: ReturnType<typeof decideCharges>["outcomes"][number]): string | number =>
  Result.isSuccess(outcome) ? outcome.success.charged : outcome.failure._tag

const arbitrary = { runs: 2_000, size: 30, seed: 20260131 }

describe("decideCharges", () => {
  it.prop(
    "decides and writes the same as a reference implementation that starts anew for each charge",
    [Charges, few(30), few(20), Schema.Boolean, few(9), Schema.Boolean],
    ([raw, balance, threshold, isVerified, status, is_shortage_reported]) => {
      const charges = raw.map(toCharge)
      const account = accountWith({
        balance,
        low_balance_threshold: threshold === 0 ? null : threshold,
        is_shortage_reported,
        organization: {
          granted_level: 3,
          // Most often.
          is_active: status > 1,
          is_verified: isVerified
        }
      })
      const decision = decideCharges(account, charges, now_ms)
      const taken: Array<Taken[number]> = []
      for (const [i, charge] of charges.entries()) {
        const expected = expectedOutcome(account, charge, taken)
        const outcome = decision.outcomes[i]
        assert.strictEqual(outcome && shown(outcome), expected)
        if (typeof expected === "number") {
          taken.push({ charge, due: expected })
          assert.deepStrictEqual(outcome, Result.succeed({ charged: expected, balance: balance - sum(taken) }))
        }
      }
      const paid = taken.filter(({ due }) => due > 0)
      assert.strictEqual(decision.balance, balance - sum(taken))
      assert.deepStrictEqual(
        decision.entries.map(({ amount, balance_after, charge, index }) => ({ amount, balance_after, charge, index })),
        paid.map(({ charge, due }, i) => ({
          amount: -due,
          balance_after: balance - sum(paid.slice(0, i + 1)),
          charge,
          index: charges.indexOf(charge)
        }))
      )
      const reached = ["limited", "ending"].map((id) => {
        const own = paid.filter(({ charge }) => charge.key_id === id)
        const report = expectedReport(charges, decision.outcomes, id)
        const today = own.length === 0 && report === undefined ? undefined : (chargedToday[id] ?? 0) + sum(own)
        assert.strictEqual(decision.days.get(id)?.charged, today)
        assert.strictEqual(decision.days.get(id)?.reported_limit, report?.daily_credit_limit)
        return report
      })
      assert.isUndefined(decision.days.get("plain"))
      const isLow = threshold > 0 && balance >= threshold && decision.balance < threshold
      const event = { ...org, balance: decision.balance, threshold }
      const short = expectedShortage(balance, decision.outcomes)
      assert.strictEqual(decision.is_shortage_reported, is_shortage_reported || short !== undefined)
      assert.sameDeepMembers(
        [...decision.events],
        [
          ...reached.flatMap((data) =>
            data === undefined ? [] : [{ type: "key.daily_limit_reached" as const, data }]
          ),
          ...(short === undefined || is_shortage_reported ? [] : [usedUp(short)]),
          ...(isLow ? [{ type: "credits.low" as const, data: event }] : []),
          ...(balance > 0 && decision.balance === 0 ? [usedUp(0)] : [])
        ]
      )
    },
    { arbitrary }
  )

  it.prop(
    "remembers the charge of an idempotency key for 24 hours from the first one",
    [Charges],
    ([raw]) => {
      const charges = raw.map(toCharge)
      const account = accountWith({ balance: 1_000 })
      const decision = decideCharges(account, charges, now_ms)
      const expected = new Map<string, { charged: number; fingerprint: string; expires_at_ms: number }>()
      for (const [i, { idempotency, key_id }] of charges.entries()) {
        const outcome = decision.outcomes[i]
        if (idempotency === undefined || outcome === undefined || Result.isFailure(outcome)) continue
        const known = idempotency.key === "known" ? account.findRecord(key_id, "known") : undefined
        const name = `${key_id} ${idempotency.key}`
        const { charged } = outcome.success
        const former = expected.get(name)
        if (charged === 0 && (former !== undefined || known !== undefined)) continue
        expected.set(name, {
          charged: (former?.charged ?? known?.charged ?? 0) + charged,
          fingerprint: idempotency.fingerprint,
          expires_at_ms: known?.expires_at_ms ?? now_ms + day_ms
        })
      }
      const found = decision.records.map(({ chain_id, charged, expires_at_ms, fingerprint, key }) => [
        `${chain_id} ${key}`,
        { charged, fingerprint, expires_at_ms }
      ])
      assert.sameDeepMembers(found, [...expected])
    },
    { arbitrary }
  )

  it("refuses every charge without an account, and writes nothing", () => {
    const charge = toCharge({ key: 0, amount: 0, level: 0, idempotency: 0, fingerprint: 0 }, 0)
    const decision = decideCharges(undefined, [charge, charge], now_ms)
    assert.deepStrictEqual(decision.outcomes.map(shown), ["InvalidApiKey", "InvalidApiKey"])
    assert.deepStrictEqual([decision.entries, decision.records], [[], []])
  })

  it("reports the whole seconds until the daily limit is reset at midnight UTC", () => {
    const charge = toCharge({ key: 1, amount: 6, level: 0, idempotency: 6, fingerprint: 0 }, 0)
    const [outcome] = decideCharges(accountWith({}), [charge], now_ms).outcomes
    const failure = outcome && Result.isFailure(outcome) ? outcome.failure : undefined
    assert.deepInclude(failure, { _tag: "DailyLimitReached", retry_after_s: 30, required: 6, limit: 9, balance: 20 })
  })
})

it("a balance is low below its threshold, and never without one", () => {
  const account = { ...org, low_balance_threshold: 5 }
  assert.deepStrictEqual(lowBalance(account, 5), [])
  const data = { ...org, balance: 4, threshold: 5 }
  assert.deepStrictEqual(lowBalance(account, 4), [{ type: "credits.low", data }])
  assert.deepStrictEqual(lowBalance({ ...org, low_balance_threshold: null }, 0), [])
})

it("a repeated grant returns the first receipt, and one with another amount is a conflict", () => {
  const former = { entry_id: "ent", balance: 7, amount: 3 }
  assert.deepStrictEqual(repeatedGrant(former, 3), Result.succeed({ entry_id: "ent", balance: 7, repeated: true }))
  assert.strictEqual(Result.getFailure(repeatedGrant(former, 4))._tag, "Some")
})

it("a repeated correction returns the first receipt, and one with other content is a conflict", () => {
  const content = { amount: -3, kind: "refund", note: "why" } as const
  const repeat = (fields: object) =>
    repeatedCorrection({ ...content, entry_id: "ent", balance: 7 }, { ...content, ...fields })
  assert.deepStrictEqual(repeat({}), Result.succeed({ entry_id: "ent", balance: 7, repeated: true }))
  for (const fields of [{ amount: 3 }, { kind: "adjustment" }, { note: "" }]) {
    assert.strictEqual(Result.getFailure(repeat(fields))._tag, "Some")
  }
})

it("a correction takes at most the balance, and reports a low or used-up balance only if it was not so before", () => {
  const decide = (balance: number, amount: number) =>
    Result.getSuccess(decideCorrection({ ...org, balance, low_balance_threshold: 5 }, { amount }))
  const outcomes = [decide(6, -1), decide(6, -2), decide(4, -4), decide(4, -5), decide(4, 1)].map(
    Option.map(({ balance, events }) => [balance, events.map(({ type }) => type)])
  )
  assert.deepStrictEqual(outcomes.map(Option.getOrUndefined), [
    [5, []],
    [4, ["credits.low"]],
    [0, ["credits.used_up"]],
    undefined,
    [5, []]
  ])
})

it.each([
  ["charge", 0, 0, true],
  ["charge", -1, 0, false],
  ["charge", 0.5, 0, false],
  ["charge", Number.NaN, 0, false],
  ["grant", 0, 1, false],
  ["grant", 2 ** 53, 1, false],
  ["threshold", 1, 1, true]
] as const)("a %s accepts the amount %d (minimum %d): %s", (of, amount, minimum, isTaken) => {
  const check = () => assertCredits(of, amount, minimum)
  if (isTaken) check()
  else assert.throws(check, RangeError, `the amount of a ${of}`)
})
