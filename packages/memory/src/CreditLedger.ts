/** Credit accounts in memory. Each charge and each grant is one step on one thread, so none can come in between. */
import { hasExpired, keyExpired, keyNotInForce } from "@postcode/core/ApiKey"
import { Conflict, DailyLimitReached, IdempotencyKeyReused, InsufficientCredits } from "@postcode/core/Errors"
import { CreditLedger, GrantLowered, type GrantReceipt } from "@postcode/core/ports/CreditLedger"
import { Clock, Effect, Layer } from "effect"
import { untilNextDay_s } from "./DailySpending.ts"
import { IdempotencyRecords } from "./IdempotencyRecords.ts"
import { MemoryState, noSuchOrganization } from "./MemoryState.ts"
import { newestFirst } from "./NewestFirst.ts"

export const layerCreditLedger: Layer.Layer<CreditLedger, never, MemoryState> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const { keys, organizations } = yield* MemoryState
    const clock = yield* Clock.Clock
    const idempotency = new IdempotencyRecords()
    const grants = new Map<string, GivenGrant>()

    const grant: Service["grant"] = (asked) => {
      const organization = organizations.get(asked.organization_id)
      if (organization === undefined) return Effect.fail(noSuchOrganization)
      if (!(isWholeAmount(asked.amount) && asked.amount > 0)) return Effect.die(notAnAmount("grant", asked.amount))
      const name = `${asked.organization_id} ${asked.environment} ${asked.reference}`
      const given = grants.get(name)
      if (given !== undefined) {
        return given.amount === asked.amount
          ? Effect.succeed({ ...given.receipt, repeated: true })
          : Effect.fail(otherAmount)
      }
      const account = organization.accounts[asked.environment]
      const index = account.append(asked.amount, "grant", asked.reference, clock.currentTimeMillisUnsafe())
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
      const { granted_level } = key.organization.record
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
        return Effect.fail(new DailyLimitReached({ required: due, limit, balance, retry_after_s }))
      }
      if (due > balance) return Effect.fail(new InsufficientCredits({ required: due, balance }))
      if (due > 0) account.append(-due, reason, request_id, now_ms)
      if (limit !== undefined) key.spending.add(due, now_ms)
      if (asked.idempotency !== undefined) {
        idempotency.add(asked.key_id, asked.idempotency.key, asked.idempotency.fingerprint, due, now_ms)
      }
      return Effect.succeed({ charged: due, balance: account.balance })
    }

    const statement: Service["statement"] = ({ environment, organization_id }, page) => {
      const account = organizations.get(organization_id)?.accounts[environment]
      if (account === undefined) return Effect.fail(noSuchOrganization)
      const { balance } = account
      const entries = newestFirst(account.length, (index) => account.entryAt(index), page)
      return Effect.map(entries, (entries) => ({ balance, entries }))
    }

    return CreditLedger.of({
      grant: (asked) => Effect.suspend(() => grant(asked)),
      charge: (asked) => Effect.suspend(() => charge(asked)),
      statement: (account, page) => Effect.suspend(() => statement(account, page))
    })
  })
)

type Service = CreditLedger["Service"]

interface GivenGrant {
  readonly amount: number
  readonly receipt: GrantReceipt
}

const otherAmount = new Conflict({
  message: "reference: it stands for a grant of another amount already; take a new one for each grant"
})

const isOfAccount = (
  key: { readonly organization_id: string; readonly environment: string },
  account: { readonly organization_id: string; readonly environment: string }
): boolean => key.organization_id === account.organization_id && key.environment === account.environment

const isWholeAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

const notAnAmount = (of: string, amount: number): RangeError =>
  new RangeError(`the amount of a ${of}: expected whole credits, found ${amount}`)
