/**
 * What a key and its successors have charged on the day of a moment, from 00:00 to 24:00 UTC: the sum of their entries.
 * A chain has the id of its first key.
 */
import type { KeyDay } from "@postcode/core/Credits"
import type { Database } from "./Database.ts"

type Db = Database["Service"]

/** Credits. For use within a step. */
export const spentOn = (db: Db, chain_id: string, at_ms: number): number => {
  const begin_ms = dayOf(at_ms) * day_ms
  const sql = `SELECT coalesce(-sum(amount), 0) AS spent FROM entries
    WHERE key_id IN (SELECT id FROM keys WHERE id = ? OR record ->> 'chain_id' = ?) AND at_ms >= ? AND at_ms < ?`
  return Number(db.get(sql, chain_id, chain_id, begin_ms, begin_ms + day_ms)?.spent)
}

/** The day as core decides on it. For use within a step. */
export const findDay = (db: Db, chain_id: string, at_ms: number): KeyDay => {
  const sql = "SELECT reported_limit FROM reported_limits WHERE chain_id = ? AND day = ?"
  const reported = db.get(sql, chain_id, dayOf(at_ms))
  return { charged: spentOn(db, chain_id, at_ms), ...(reported && { reported_limit: Number(reported.reported_limit) }) }
}

/** Keeps what the entries do not say. For use within a step. */
export const writeDay = (db: Db, chain_id: string, { reported_limit }: KeyDay, at_ms: number): void => {
  if (reported_limit === undefined) return
  const sql = "INSERT OR REPLACE INTO reported_limits (chain_id, day, reported_limit) VALUES (?, ?, ?)"
  db.run(sql, chain_id, dayOf(at_ms), reported_limit)
}

const dayOf = (at_ms: number): number => Math.floor(at_ms / day_ms)

const day_ms = 86_400_000
