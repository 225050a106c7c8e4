/** Credit accounts in SQLite. Each change is one step: it is on the disk as a whole, or not there at all. */

import {
  assertCredits,
  type ChangedRecord,
  type Charge,
  type ChargeReceipt,
  type ChargeRefusal,
  type Correction,
  type CorrectionContent,
  type CreditAccount,
  decideCharges,
  decideCorrection,
  type EntryReceipt,
  type Grant,
  type IdempotencyRecord,
  type LedgerEntry,
  lowBalance,
  repeatedCorrection,
  repeatedGrant
} from "@postcode/core/Credits"
import {
  CreditLedger,
  type EntryFilter,
  type Statement,
  type ThresholdReceipt
} from "@postcode/gateway/credits/CreditLedger"
import { keyFacts, organizationFacts } from "@postcode/gateway/credits/charges/chargeFacts"
import { type Conflict, type InvalidParameter, type NotFound, notFound } from "@postcode/gateway/Errors"
import type { ApiKeyRecord } from "@postcode/gateway/keys/ApiKey"
import { organizationClosed } from "@postcode/gateway/organizations/Organization"
import type { PageRequest } from "@postcode/gateway/Page"
import type { EventContent } from "@postcode/gateway/webhooks/Webhook"
import { MemoryState } from "@postcode/memory"
import { Clock, Effect, Exit, Layer, Result } from "effect"
import { append, findAccount, readDays, reportShortage } from "./accounts.ts"
import { Database, type Row } from "./Database.ts"
import { findOrganization } from "./Organizations.ts"
import { readPage } from "./readPage.ts"
import { findDay, writeDay } from "./spentOn.ts"

export const layerCreditLedger: Layer.Layer<CreditLedger, never, Database | MemoryState> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const db = yield* Database
    // Webhooks are in memory: an event joins their queue once what it tells of is on the disk.
    const { webhooks } = yield* MemoryState
    const clock = yield* Clock.Clock
    const now_ms = () => clock.currentTimeMillisUnsafe()

    const announce: Announce = (events) => {
      for (const event of events) db.afterwards(() => webhooks.announce(event, now_ms()))
    }

    return CreditLedger.of({
      // A refused charge is no failed step: what it reports is kept.
      charge: (asked) =>
        Effect.flatMap(
          db.step(() => Exit.succeed(charge(db, asked, now_ms(), announce))),
          Effect.fromResult
        ),
      grant: (asked) => db.step(() => grant(db, asked, now_ms())),
      correct: (asked) => db.step(() => correct(db, asked, now_ms(), announce)),
      setThreshold: (asked, threshold) => db.step(() => setThreshold(db, asked, threshold, announce)),
      statement: (asked, page, filter) => db.step(() => readStatement(db, asked, page, filter)),
      days: (environment, days) => db.step(() => Exit.succeed(readDays(db, environment, days)))
    })
  })
)

/** Tells the organization, such as of a balance that is low. */
type Announce = (events: ReadonlyArray<EventContent>) => void

type Db = Database["Service"]

/** Reads what is known of the account, lets core decide, and writes what it says. */
const charge = (
  db: Db,
  asked: Charge,
  at_ms: number,
  announce: Announce
): Result.Result<ChargeReceipt, ChargeRefusal> => {
  assertCredits("charge", asked.amount, 0)
  const account = chargeable(db, asked, at_ms)
  const { days, entries, events, is_shortage_reported, outcomes, records } = decideCharges(account, [asked], at_ms)
  const { key_id, reason, request_id: reference, served_level: level = asked.level } = asked
  for (const { amount } of entries) append(db, asked, { amount, reason, reference, key_id, level }, at_ms)
  for (const record of records) remember(db, record)
  for (const [id, day] of days) writeDay(db, id, day, at_ms)
  if (is_shortage_reported && account?.is_shortage_reported === false) reportShortage(db, asked)
  announce(events)
  const [outcome] = outcomes as [(typeof outcomes)[number]]
  return outcome
}

/** An account as `decideCharges` wants to see it; undefined if there is none. */
const chargeable = (db: Db, { environment, organization_id }: CreditAccount, at_ms: number) => {
  const account = findAccount(db, { organization_id, environment })
  const organization = findOrganization(db, organization_id)
  if (account === undefined || organization === undefined) return undefined
  return {
    organization_id,
    environment,
    ...account,
    is_shortage_reported: account.is_shortage_reported === 1,
    organization: organizationFacts(organization),
    findKey: (key_id: string) => {
      const key = findKey(db, key_id)
      return key && keyFacts(key)
    },
    findToday: (chain_id: string) => findDay(db, chain_id, at_ms),
    findRecord: (chain_id: string, key: string) => findRecord(db, chain_id, key, at_ms)
  }
}

const grant = (db: Db, asked: Grant, at_ms: number): Exit.Exit<EntryReceipt, Conflict | NotFound> => {
  const { amount, environment, organization_id, reference } = asked
  if (findAccount(db, asked) === undefined) return Exit.fail(notFound("organization"))
  assertCredits("grant", amount, 1)
  const given = db.get(
    `SELECT seq, amount, balance_after FROM entries
     WHERE organization_id = ? AND environment = ? AND reference = ? AND reason = 'grant'`,
    organization_id,
    environment,
    reference
  )
  if (given === undefined) {
    if (findOrganization(db, organization_id)?.status === "closed") return Exit.fail(organizationClosed)
    const { balance, seq } = append(db, asked, { amount, reason: "grant", reference }, at_ms)
    return Exit.succeed({ entry_id: entryId({ seq }), balance, repeated: false })
  }
  const former = { amount: Number(given.amount), entry_id: entryId(given), balance: Number(given.balance_after) }
  return exitOf(repeatedGrant(former, amount))
}

const correct = (
  db: Db,
  asked: Correction,
  at_ms: number,
  announce: Announce
): Exit.Exit<EntryReceipt, Conflict | NotFound> => {
  const { amount, environment, kind, note, organization_id, reference } = asked
  const account = findAccount(db, asked)
  if (account === undefined) return Exit.fail(notFound("organization"))
  assertCredits("correction", Math.abs(amount), 1)
  const given = db.get(
    `SELECT seq, amount, reason AS kind, note, balance_after FROM entries
     WHERE organization_id = ? AND environment = ? AND reference = ? AND reason IN ('refund', 'adjustment')`,
    organization_id,
    environment,
    reference
  )
  if (given !== undefined) {
    const former = { ...(given as unknown as CorrectionContent), entry_id: entryId(given) }
    return exitOf(repeatedCorrection({ ...former, balance: Number(given.balance_after) }, asked))
  }
  const decision = decideCorrection({ organization_id, environment, ...account }, asked)
  return Exit.map(exitOf(decision), ({ events }) => {
    const { balance, seq } = append(db, asked, { amount, reason: kind, reference, note }, at_ms)
    announce(events)
    return { entry_id: entryId({ seq }), balance, repeated: false }
  })
}

const setThreshold = (
  db: Db,
  asked: CreditAccount,
  threshold: number | null,
  announce: Announce
): Exit.Exit<ThresholdReceipt, NotFound> => {
  const account = findAccount(db, asked)
  if (account === undefined) return Exit.fail(notFound("organization"))
  if (threshold !== null) assertCredits("threshold", threshold, 1)
  const sql = "UPDATE accounts SET low_balance_threshold = ? WHERE organization_id = ? AND environment = ?"
  db.run(sql, threshold, asked.organization_id, asked.environment)
  const { balance, low_balance_threshold } = account
  const changed = low_balance_threshold !== threshold
  if (changed) announce(lowBalance({ ...asked, low_balance_threshold: threshold }, balance))
  return Exit.succeed({ balance, changed })
}

const readStatement = (
  db: Db,
  asked: CreditAccount,
  page: PageRequest,
  { reference }: EntryFilter = {}
): Exit.Exit<Statement, InvalidParameter | NotFound> => {
  const account = findAccount(db, asked)
  if (account === undefined) return Exit.fail(notFound("organization"))
  const { environment, organization_id } = asked
  const own = "entries WHERE organization_id = ? AND environment = ?"
  const list =
    reference === undefined
      ? { rows: own, parameters: [organization_id, environment] }
      : { rows: `${own} AND reference = ?`, parameters: [organization_id, environment, reference] }
  const { balance, low_balance_threshold } = account
  return Exit.map(readPage(db, { ...list, itemOf: entryOf }, page), (entries) => ({
    balance,
    low_balance_threshold,
    archived: null,
    entries
  }))
}

const findKey = (db: Db, key_id: string): ApiKeyRecord | undefined => {
  const row = db.get("SELECT record FROM keys WHERE id = ?", key_id)
  return row && (JSON.parse(String(row.record)) as ApiKeyRecord)
}

/** What was charged under an idempotency key. All that have expired are forgotten on the way. */
const findRecord = (db: Db, chain_id: string, key: string, at_ms: number): IdempotencyRecord | undefined => {
  db.run("DELETE FROM idempotency WHERE expires_at_ms <= ?", at_ms)
  const sql = "SELECT fingerprint, charged, expires_at_ms FROM idempotency WHERE chain_id = ? AND key = ?"
  return db.get(sql, chain_id, key) as unknown as IdempotencyRecord | undefined
}

const remember = (db: Db, record: ChangedRecord): void =>
  db.run(
    "INSERT OR REPLACE INTO idempotency (chain_id, key, fingerprint, charged, expires_at_ms) VALUES (?, ?, ?, ?, ?)",
    record.chain_id,
    record.key,
    record.fingerprint,
    record.charged,
    record.expires_at_ms
  )

const exitOf = <A, E>(result: Result.Result<A, E>): Exit.Exit<A, E> =>
  Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure)

const entryId = ({ seq }: Row): string => `ent_${seq}`

const entryOf = (row: Row): LedgerEntry => {
  const { amount, at_ms, balance_after, key_id, level, note, reason, reference } = row
  return {
    id: entryId(row),
    created_at: new Date(Number(at_ms)).toISOString(),
    ...({ amount, reason, reference, key_id, level, note, balance_after } as Omit<LedgerEntry, "created_at" | "id">)
  }
}
