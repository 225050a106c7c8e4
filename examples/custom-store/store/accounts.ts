/** Credit accounts: the one way in which a balance changes, with the entry that says why. For use within a step. */

import type { CreditAccount, EntryReason } from "@postcode/core/Credits"
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
  return { seq, balance }
}

/** Keeps that a charge was refused because it costs more than the balance, until credits are added. */
export const reportShortage = (db: Db, { environment, organization_id }: CreditAccount): void =>
  db.run(
    "UPDATE accounts SET is_shortage_reported = 1 WHERE organization_id = ? AND environment = ?",
    organization_id,
    environment
  )
