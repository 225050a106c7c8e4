/** The credit ledger in memory. Each change is atomic, because it is one synchronous step. */
import {
  assertCredits,
  type Charge,
  type ChargeableAccount,
  type CorrectionContent,
  type CreditAccount,
  decideCharges,
  decideCorrection,
  type EntryReceipt,
  lowBalance,
  repeatedCorrection,
  repeatedGrant
} from "@postcode/core/Credits"
import { CreditLedger, type EntryFilter } from "@postcode/gateway/credits/CreditLedger"
import { keyFacts, organizationFacts } from "@postcode/gateway/credits/charges/chargeFacts"
import { type NotFound, notFound } from "@postcode/gateway/Errors"
import { organizationClosed } from "@postcode/gateway/organizations/Organization"
import type { PageRequest } from "@postcode/gateway/Page"
import type { EventContent } from "@postcode/gateway/webhooks/Webhook"
import { Clock, Effect, Layer } from "effect"
import { MemoryState, type StoredOrganization } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"
import { Retention } from "../retention/Retention.ts"
import { IdempotencyRecords } from "./IdempotencyRecords.ts"
import type { StoredCreditAccount } from "./StoredCreditAccount.ts"

export const layerCreditLedger: Layer.Layer<CreditLedger, never, MemoryState> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const { creditSums, keys, organizations, webhooks } = yield* MemoryState
    const clock = yield* Clock.Clock
    const idempotency = new IdempotencyRecords((yield* Retention).idempotencyKeys)
    const grants = new Map<string, GivenGrant>()

    const grant: Service["grant"] = ({ amount, environment, organization_id, reference }) => {
      const organization = organizations.get(organization_id)
      if (organization === undefined) return Effect.fail(notFound("organization"))
      assertCredits("grant", amount, 1)
      const name = `${organization_id} ${environment} ${reference}`
      const given = grants.get(name)
      if (given !== undefined) return Effect.fromResult(repeatedGrant(given, amount))
      if (organization.record.status === "closed") return Effect.fail(organizationClosed)
      const account = organization.accounts[environment]
      const index = account.append({ amount, reason: "grant", reference }, clock.currentTimeMillisUnsafe())
      const { balance_after: balance, id: entry_id } = account.entryAt(index)
      grants.set(name, { amount, entry_id, balance })
      return Effect.succeed({ entry_id, balance, repeated: false })
    }

    const charge: Service["charge"] = (asked) => {
      assertCredits("charge", asked.amount, 0)
      const now_ms = clock.currentTimeMillisUnsafe()
      const account = organizations.get(asked.organization_id)?.accounts[asked.environment]
      const state = account && chargeable(asked, account, now_ms)
      const { days, entries, events, is_shortage_reported, outcomes, records } = decideCharges(state, [asked], now_ms)
      for (const { amount } of entries) account?.append(entryOf(asked, amount), now_ms)
      for (const [chain_id, day] of days) keys.get(chain_id)?.spending.set(day, now_ms)
      for (const record of records) idempotency.set(record)
      if (account !== undefined) account.is_shortage_reported = is_shortage_reported
      announce(events, now_ms)
      return Effect.fromResult(outcomes[0] as (typeof outcomes)[number])
    }

    /** The state of an account, see `decideCharges`. */
    const chargeable = (
      { environment, organization_id }: CreditAccount,
      { balance, is_shortage_reported, low_balance_threshold }: StoredCreditAccount,
      now_ms: number
    ): ChargeableAccount => ({
      organization_id,
      environment,
      balance,
      low_balance_threshold,
      is_shortage_reported,
      organization: organizationFacts((organizations.get(organization_id) as StoredOrganization).record),
      findKey: (key_id) => {
        const key = keys.get(key_id)
        return key && keyFacts(key.record)
      },
      findToday: (chain_id) => keys.get(chain_id)?.spending.on(now_ms),
      findRecord: (chain_id, key) => idempotency.find(chain_id, key, now_ms)
    })

    const announce: Announce = (events, now_ms) => {
      for (const event of events) webhooks.announce(event, now_ms)
    }

    return CreditLedger.of({
      grant: (asked) => Effect.suspend(() => grant(asked)),
      correct: makeCorrect(organizations, announce, () => clock.currentTimeMillisUnsafe()),
      charge: (asked) => Effect.suspend(() => charge(asked)),
      setThreshold: (asked, threshold) =>
        Effect.map(accountOf(organizations, asked), (account) => {
          if (threshold !== null) assertCredits("threshold", threshold, 1)
          const { balance } = account
          const changed = account.low_balance_threshold !== threshold
          account.low_balance_threshold = threshold
          const low = lowBalance({ ...asked, low_balance_threshold: threshold }, balance)
          if (changed) announce(low, clock.currentTimeMillisUnsafe())
          return { balance, changed }
        }),
      statement: (asked, page, filter) =>
        Effect.flatMap(accountOf(organizations, asked), (account) => statementOf(account, page, filter)),
      days: (environment, days) => Effect.sync(() => creditSums.between(environment, days))
    })
  })
)

type Service = CreditLedger["Service"]
type Announce = (events: ReadonlyArray<EventContent>, now_ms: number) => void

/** The method for corrections. */
const makeCorrect = (
  organizations: ReadonlyMap<string, StoredOrganization>,
  announce: Announce,
  now_ms: () => number
): Service["correct"] => {
  const corrections = new Map<string, GivenCorrection>()
  return (asked) =>
    Effect.flatMap(accountOf(organizations, asked), (account) => {
      const { amount, environment, kind, note, organization_id, reference } = asked
      assertCredits("correction", Math.abs(amount), 1)
      const name = `${organization_id} ${environment} ${reference}`
      const given = corrections.get(name)
      if (given !== undefined) return Effect.fromResult(repeatedCorrection(given, asked))
      const { balance, low_balance_threshold } = account
      const decision = decideCorrection({ organization_id, environment, balance, low_balance_threshold }, asked)
      return Effect.map(Effect.fromResult(decision), ({ balance, events }) => {
        const at_ms = now_ms()
        const { id: entry_id } = account.entryAt(account.append({ amount, reason: kind, reference, note }, at_ms))
        corrections.set(name, { amount, kind, note, entry_id, balance })
        announce(events, at_ms)
        return { entry_id, balance, repeated: false }
      })
    })
}

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
  return Effect.map(entries, (entries) => ({ balance, low_balance_threshold, archived: null, entries }))
}

interface GivenGrant extends Omit<EntryReceipt, "repeated"> {
  readonly amount: number
}

interface GivenCorrection extends Omit<EntryReceipt, "repeated">, CorrectionContent {}

const entryOf = ({ key_id, level, reason, request_id, served_level = level }: Charge, amount: number) => ({
  amount,
  reason,
  reference: request_id,
  key_id,
  level: served_level
})
