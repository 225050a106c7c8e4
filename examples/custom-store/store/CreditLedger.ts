/**
 * Credit accounts in SQLite. Each charge and each grant is one step: it is on the disk as a whole, or not there at all.
 */
import { type ApiKeyRecord, authorizeVerified, hasExpired, keyExpired, keyNotInForce } from "@postcode/core/ApiKey"
import type { LedgerEntry } from "@postcode/core/Credits"
import {
  type Charge,
  type ChargeReceipt,
  type CreditAccount,
  CreditLedger,
  type EntryFilter,
  type Grant,
  GrantLowered,
  type GrantReceipt,
  idempotencyRetention_ms,
  otherAmount,
  type Statement,
  type ThresholdReceipt
} from "@postcode/core/credits/CreditLedger"
import {
  type Conflict,
  type DailyLimitReached,
  dailyLimitError,
  IdempotencyKeyReused,
  InsufficientCredits,
  type InvalidApiKey,
  type InvalidParameter,
  type KybRequired,
  type NotFound,
  notFound,
  type PriceAboveDailyLimit
} from "@postcode/core/Errors"
import type { PageRequest } from "@postcode/core/Page"
import type { LowBalance } from "@postcode/core/Webhook"
import { MemoryState } from "@postcode/memory"
import { Clock, Effect, Exit, Layer, Result } from "effect"
import { type AccountRow, append, findAccount } from "./accounts.ts"
import { Database, type Row } from "./Database.ts"
import { spentOn, untilNextDay_s } from "./dailySpending.ts"
import { findOrganization } from "./Organizations.ts"
import { readPage } from "./readPage.ts"

export const layerCreditLedger: Layer.Layer<CreditLedger, never, Database | MemoryState> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const db = yield* Database
    // Webhooks are in memory: an event joins their queue once what it tells of is on the disk.
    const { webhooks } = yield* MemoryState
    const clock = yield* Clock.Clock
    const now_ms = () => clock.currentTimeMillisUnsafe()

    /** Work on an account, of which its organization is told if it makes the balance low. */
    const announcing = <A, E>(account: CreditAccount, work: () => Exit.Exit<A, E>): Exit.Exit<A, E> => {
      const before = findAccount(db, account)
      const exit = work()
      const data = before && becameLow(account, before, findAccount(db, account) ?? before)
      if (data) db.afterwards(() => webhooks.announce(account.organization_id, "credits.low", data, now_ms()))
      return exit
    }

    return CreditLedger.of({
      charge: (asked) => db.step(() => announcing(asked, () => charge(db, asked, now_ms()))),
      grant: (asked) => db.step(() => grant(db, asked, now_ms())),
      setThreshold: (asked, threshold) => db.step(() => announcing(asked, () => setThreshold(db, asked, threshold))),
      statement: (asked, page, filter) => db.step(() => readStatement(db, asked, page, filter))
    })
  })
)

type Db = Database["Service"]

type Refusal =
  | DailyLimitReached
  | GrantLowered
  | IdempotencyKeyReused
  | InsufficientCredits
  | InvalidApiKey
  | KybRequired
  | PriceAboveDailyLimit

const charge = (db: Db, asked: Charge, at_ms: number): Exit.Exit<ChargeReceipt, Refusal> => {
  const key = keyOf(db, asked)
  if (key === undefined) return Exit.fail(keyNotInForce)
  if (hasExpired(key.expires_at, new Date(at_ms).toISOString())) return Exit.fail(keyExpired)
  assertWhole("charge", asked.amount, 0)
  const organization = findOrganization(db, asked.organization_id)
  const verified = authorizeVerified({ ...asked, organization_verified: organization?.kyb_status === "verified" })
  if (Result.isFailure(verified)) return Exit.fail(verified.failure)
  const granted_level = organization?.granted_level ?? 1
  if (asked.level !== undefined && asked.level > granted_level) return Exit.fail(new GrantLowered({ granted_level }))
  const paid = paidBefore(db, asked, at_ms)
  if (paid !== undefined && paid.fingerprint !== asked.idempotency?.fingerprint) {
    return Exit.fail(new IdempotencyKeyReused())
  }
  const due = Math.max(0, asked.amount - (paid?.charged ?? 0))
  const balance = findAccount(db, asked)?.balance ?? 0
  const { daily_credit_limit: limit } = key
  if (due > 0 && limit !== undefined && spentOn(db, key.id, at_ms) + due > limit) {
    return Exit.fail(dailyLimitError({ required: due, limit, balance, retry_after_s: untilNextDay_s(at_ms) }))
  }
  if (due > balance) return Exit.fail(new InsufficientCredits({ required: due, balance }))
  if (due > 0) {
    const { key_id, level, reason, request_id: reference } = asked
    append(db, asked, { amount: -due, reason, reference, key_id, level }, at_ms)
  }
  remember(db, asked, due, at_ms)
  return Exit.succeed({ charged: due, balance: balance - due })
}

const grant = (db: Db, asked: Grant, at_ms: number): Exit.Exit<GrantReceipt, Conflict | NotFound> => {
  const { amount, environment, organization_id, reference } = asked
  if (findAccount(db, asked) === undefined) return Exit.fail(notFound("organization"))
  assertWhole("grant", amount, 1)
  const given = db.get(
    `SELECT seq, amount, balance_after FROM entries
     WHERE organization_id = ? AND environment = ? AND reference = ? AND reason = 'grant'`,
    organization_id,
    environment,
    reference
  )
  if (given === undefined) {
    const { balance, seq } = append(db, asked, { amount, reason: "grant", reference }, at_ms)
    return Exit.succeed({ entry_id: entryId({ seq }), balance, repeated: false })
  }
  if (given.amount !== amount) return Exit.fail(otherAmount)
  return Exit.succeed({ entry_id: entryId(given), balance: Number(given.balance_after), repeated: true })
}

const setThreshold = (
  db: Db,
  asked: CreditAccount,
  threshold: number | null
): Exit.Exit<ThresholdReceipt, NotFound> => {
  const account = findAccount(db, asked)
  if (account === undefined) return Exit.fail(notFound("organization"))
  if (threshold !== null) assertWhole("threshold", threshold, 1)
  const sql = "UPDATE accounts SET low_balance_threshold = ? WHERE organization_id = ? AND environment = ?"
  db.run(sql, threshold, asked.organization_id, asked.environment)
  return Exit.succeed({ balance: account.balance, changed: account.low_balance_threshold !== threshold })
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
    entries
  }))
}

/** The key that is charged, if it is one of the account and not revoked. */
const keyOf = (db: Db, { environment, key_id, organization_id }: Charge): ApiKeyRecord | undefined => {
  const row = db.get("SELECT record FROM keys WHERE id = ? AND organization_id = ?", key_id, organization_id)
  const key = row && (JSON.parse(String(row.record)) as ApiKeyRecord)
  return key?.revoked_at === undefined && key?.environment === environment ? key : undefined
}

/** What was charged under the idempotency key, if that is in force. */
const paidBefore = (db: Db, { idempotency, key_id }: Charge, at_ms: number) => {
  if (idempotency === undefined) return undefined
  db.run("DELETE FROM idempotency WHERE expires_at_ms <= ?", at_ms)
  return db.get("SELECT fingerprint, charged FROM idempotency WHERE key_id = ? AND key = ?", key_id, idempotency.key) as
    | { readonly fingerprint: string; readonly charged: number }
    | undefined
}

const remember = (db: Db, { idempotency, key_id }: Charge, charged: number, at_ms: number): void => {
  if (idempotency === undefined) return
  db.run(
    `INSERT INTO idempotency (key_id, key, fingerprint, charged, expires_at_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET charged = charged + excluded.charged`,
    key_id,
    idempotency.key,
    idempotency.fingerprint,
    charged,
    at_ms + idempotencyRetention_ms
  )
}

/** What to tell of an account whose balance is low, and was not, or was so below another threshold; else undefined. */
const becameLow = (
  { environment, organization_id }: CreditAccount,
  before: AccountRow,
  { balance, low_balance_threshold: threshold }: AccountRow
): LowBalance | undefined => {
  if (threshold === null || balance >= threshold) return undefined
  const wasToldOf = before.low_balance_threshold === threshold && before.balance < threshold
  return wasToldOf ? undefined : { organization_id, environment, balance, threshold }
}

const entryId = ({ seq }: Row): string => `ent_${seq}`

const entryOf = (row: Row): LedgerEntry => {
  const { amount, at_ms, balance_after, key_id, level, reason, reference } = row
  return {
    id: entryId(row),
    created_at: new Date(Number(at_ms)).toISOString(),
    ...({ amount, reason, reference, key_id, level, balance_after } as Omit<LedgerEntry, "created_at" | "id">)
  }
}

/** Another amount is a mistake of the program: no request is let through with it. */
const assertWhole = (of: string, amount: number, least: number): void => {
  if (Number.isSafeInteger(amount) && amount >= least) return
  throw new RangeError(`the amount of a ${of}: expected whole credits from ${least} on, found ${amount}`)
}
