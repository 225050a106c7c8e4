/** Credit accounts: the one way in which a balance changes, with the entry that says why. For use within a step. */

import type { CreditAccount, EntryReason, Environment } from "@postcode/core/Credits"
import { type CreditDay, sumOf } from "@postcode/gateway/credits/CreditLedger"
import type { ReportDays } from "@postcode/gateway/usage/reportDays"
import type { Database } from "./Database.ts"

type Db = Database["Service"]

export interface AccountRow {
  readonly balance: number
  readonly low_balance_threshold: number | null
  /** 0 or 1. */
  readonly is_shortage_reported: number
}

export interface NewEntry {
  /** Negative for a charge. */
  readonly amount: number
  readonly reason: EntryReason
  readonly reference: string
  readonly key_id?: string
  readonly level?: number | undefined
  readonly note?: string
}

export const openAccount = (db: Db, { environment, organization_id }: CreditAccount): void =>
  db.run("INSERT INTO accounts (organization_id, environment, balance) VALUES (?, ?, 0)", organization_id, environment)

/** Undefined if there is no such organization. */
export const findAccount = (db: Db, { environment, organization_id }: CreditAccount): AccountRow | undefined =>
  db.get("SELECT * FROM accounts WHERE organization_id = ? AND environment = ?", organization_id, environment) as
    | AccountRow
    | undefined

/** Adds an entry to an account, and answers its number and the balance behind it. A balance below 0 is a defect. */
export const append = (db: Db, { environment, organization_id }: CreditAccount, entry: NewEntry, at_ms: number) => {
  const { amount, key_id = null, level = null, note = null, reason, reference } = entry
  const { balance } = db.get(
    `UPDATE accounts SET balance = balance + ?, is_shortage_reported = is_shortage_reported AND ? <= 0
     WHERE organization_id = ? AND environment = ? RETURNING balance`,
    amount,
    amount,
    organization_id,
    environment
  ) as unknown as AccountRow
  const { seq } = db.get(
    `INSERT INTO entries
       (organization_id, environment, amount, reason, reference, key_id, level, note, balance_after, at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
    organization_id,
    environment,
    amount,
    reason,
    reference,
    key_id,
    level,
    note,
    balance,
    at_ms
  ) as { readonly seq: number }
  sumUp(db, environment, entry, at_ms)
  return { seq, balance }
}

/** Adds an entry to the sums of its day. */
const sumUp = (db: Db, environment: string, { amount, reason }: NewEntry, at_ms: number): void => {
  const sum = sumOf(reason)
  db.run(
    `INSERT INTO credit_days (environment, date, sum, credits) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET credits = credits + excluded.credits`,
    environment,
    new Date(at_ms).toISOString().slice(0, 10),
    sum,
    sum === "charged" ? -amount : amount
  )
}

/** The sums of all organizations, oldest day first. */
export const readDays = (db: Db, environment: Environment, { from, to }: ReportDays): ReadonlyArray<CreditDay> => {
  const days = new Map<string, CreditDay>()
  const rows = db.iterate(
    "SELECT date, sum, credits FROM credit_days WHERE environment = ? AND date BETWEEN ? AND ? ORDER BY date",
    environment,
    from,
    to
  )
  for (const { credits, date, sum } of rows) {
    const day = days.get(String(date)) ?? { ...noSums, date: String(date) }
    days.set(day.date, { ...day, [String(sum)]: Number(credits) })
  }
  return [...days.values()]
}

const noSums = { opening: 0, granted: 0, refunded: 0, adjusted: 0, charged: 0 }

/** Keeps that a charge was refused because it costs more than the balance, until credits are added. */
export const reportShortage = (db: Db, { environment, organization_id }: CreditAccount): void =>
  db.run(
    "UPDATE accounts SET is_shortage_reported = 1 WHERE organization_id = ? AND environment = ?",
    organization_id,
    environment
  )
