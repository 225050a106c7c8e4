/** Credit accounts in memory. Each charge and each grant is one step on one thread, so none can come in between. */
import { authorizeVerified, hasExpired, keyExpired, keyNotInForce } from "@postcode/core/ApiKey"
import {
  type CreditAccount,
  CreditLedger,
  type EntryFilter,
  GrantLowered,
  type GrantReceipt,
  otherAmount
} from "@postcode/core/credits/CreditLedger"
import {
  dailyLimitError,
  IdempotencyKeyReused,
  InsufficientCredits,
  type NotFound,
  notFound
} from "@postcode/core/Errors"
import type { PageRequest } from "@postcode/core/Page"
import type { LowBalance } from "@postcode/core/Webhook"
import { Clock, Effect, Layer, Result } from "effect"
import { MemoryState, type StoredOrganization } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"
import { Retention } from "../retention/Retention.ts"
import type { StoredWebhooks } from "../webhooks/StoredWebhooks.ts"
import { untilNextDay_s } from "./DailySpending.ts"
import { IdempotencyRecords } from "./IdempotencyRecords.ts"
import type { StoredCreditAccount } from "./StoredCreditAccount.ts"

export const layerCreditLedger: Layer.Layer<CreditLedger, never, MemoryState> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const { keys, organizations, webhooks } = yield* MemoryState
    const clock = yield* Clock.Clock
    const idempotency = new IdempotencyRecords((yield* Retention).idempotencyKeys)
    const grants = new Map<string, GivenGrant>()

    const grant: Service["grant"] = (asked) => {
      const organization = organizations.get(asked.organization_id)
      if (organization === undefined) return Effect.fail(notFound("organization"))
      if (!(isWholeAmount(asked.amount) && asked.amount > 0)) return Effect.die(notAnAmount("grant", asked.amount))
      const name = `${asked.organization_id} ${asked.environment} ${asked.reference}`
      const given = grants.get(name)
      if (given !== undefined) {
        return given.amount === asked.amount
          ? Effect.succeed({ ...given.receipt, repeated: true })
          : Effect.fail(otherAmount)
      }
      const account = organization.accounts[asked.environment]
      const { amount, reference } = asked
      const index = account.append({ amount, reason: "grant", reference }, clock.currentTimeMillisUnsafe())
      const { balance_after, id } = account.entryAt(index)
      const receipt: GrantReceipt = { entry_id: id, balance: balance_after, repeated: false }
      grants.set(name, { amount: asked.amount, receipt })
      return Effect.succeed(receipt)
    }

    const charge: Service["charge"] = (asked) => {
      const { amount, environment, reason, request_id } = asked
      const key = keys.get(asked.key_id)
      if (key === undefined || key.record.revoked_at !== undefined || !isOfAccount(key.record, asked)) {
        return Effect.fail(keyNotInForce)
      }
      const { daily_credit_limit: limit, expires_at } = key.record
      const now_ms = clock.currentTimeMillisUnsafe()
      if (expires_at !== undefined && hasExpired(expires_at, new Date(now_ms).toISOString())) {
        return Effect.fail(keyExpired)
      }
      if (!isWholeAmount(amount)) return Effect.die(notAnAmount("charge", amount))
      const { granted_level, kyb_status } = key.organization.record
      const verified = authorizeVerified({ environment, organization_verified: kyb_status === "verified" })
      if (Result.isFailure(verified)) return Effect.fail(verified.failure)
      if (asked.level !== undefined && asked.level > granted_level) {
        return Effect.fail(new GrantLowered({ granted_level }))
      }
      const account = key.organization.accounts[environment]
      const record = asked.idempotency && idempotency.find(asked.key_id, asked.idempotency.key, now_ms)
      if (record !== undefined && record.fingerprint !== asked.idempotency?.fingerprint) {
        return Effect.fail(new IdempotencyKeyReused())
      }
      const due = Math.max(0, amount - (record?.charged ?? 0))
      const { balance } = account
      if (due > 0 && limit !== undefined && key.spending.on(now_ms) + due > limit) {
        const retry_after_s = untilNextDay_s(now_ms)
        return Effect.fail(dailyLimitError({ required: due, limit, balance, retry_after_s }))
      }
      if (due > balance) return Effect.fail(new InsufficientCredits({ required: due, balance }))
      if (due > 0) {
        const wasLow = account.isLow
        const { key_id, level } = asked
        account.append({ amount: -due, reason, reference: request_id, key_id, level }, now_ms)
        if (!wasLow) announceIfLow(webhooks, asked, account, now_ms)
      }
      if (limit !== undefined) key.spending.add(due, now_ms)
      if (asked.idempotency !== undefined) {
        idempotency.add(asked.key_id, asked.idempotency.key, asked.idempotency.fingerprint, due, now_ms)
      }
      return Effect.succeed({ charged: due, balance: account.balance })
    }

    return CreditLedger.of({
      grant: (asked) => Effect.suspend(() => grant(asked)),
      charge: (asked) => Effect.suspend(() => charge(asked)),
      setThreshold: (asked, threshold) =>
        Effect.map(accountOf(organizations, asked), (account) => {
          if (threshold !== null) assertThreshold(threshold)
          const changed = account.low_balance_threshold !== threshold
          account.low_balance_threshold = threshold
          if (changed) announceIfLow(webhooks, asked, account, clock.currentTimeMillisUnsafe())
          return { balance: account.balance, changed }
        }),
      statement: (asked, page, filter) =>
        Effect.flatMap(accountOf(organizations, asked), (account) => statementOf(account, page, filter))
    })
  })
)

type Service = CreditLedger["Service"]

const accountOf = (
  organizations: ReadonlyMap<string, StoredOrganization>,
  { environment, organization_id }: CreditAccount
): Effect.Effect<StoredCreditAccount, NotFound> =>
  Effect.suspend(() => {
    const account = organizations.get(organization_id)?.accounts[environment]
    return account === undefined ? Effect.fail(notFound("organization")) : Effect.succeed(account)
  })

const statementOf = (account: StoredCreditAccount, page: PageRequest, { reference }: EntryFilter = {}) => {
  const { balance, low_balance_threshold } = account
  const entryAt = (index: number) =>
    reference === undefined || account.hasReference(index, reference) ? account.entryAt(index) : undefined
  const entries = newestFirst(account.length, entryAt, page, account.first)
  return Effect.map(entries, (entries) => ({ balance, low_balance_threshold, entries }))
}

interface GivenGrant {
  readonly amount: number
  readonly receipt: GrantReceipt
}

/** Tells the organization of a balance that is low. */
const announceIfLow = (
  webhooks: StoredWebhooks,
  { environment, organization_id }: CreditAccount,
  { balance, isLow, low_balance_threshold: threshold }: StoredCreditAccount,
  now_ms: number
): void => {
  if (!isLow || threshold === null) return
  const data: LowBalance = { organization_id, environment, balance, threshold }
  webhooks.announce(organization_id, "credits.low", data, now_ms)
}

const isOfAccount = (
  key: { readonly organization_id: string; readonly environment: string },
  account: { readonly organization_id: string; readonly environment: string }
): boolean => key.organization_id === account.organization_id && key.environment === account.environment

const isWholeAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

/** A mistake of the program: no request is let through with another one. */
const assertThreshold = (threshold: number): void => {
  if (!(isWholeAmount(threshold) && threshold > 0)) throw notAnAmount("threshold", threshold)
}

const notAnAmount = (of: string, amount: number): RangeError =>
  new RangeError(`the amount of a ${of}: expected whole credits, found ${amount}`)
