/** What a key has charged on the day of a moment, from 00:00 to 24:00 UTC: the sum of its entries. */
import type { Database } from "./Database.ts"

/** Credits. For use within a step. */
export const spentOn = (db: Database["Service"], key_id: string, at_ms: number): number => {
  const begin_ms = at_ms - (at_ms % day_ms)
  const sql = "SELECT coalesce(-sum(amount), 0) AS spent FROM entries WHERE key_id = ? AND at_ms >= ? AND at_ms < ?"
  return Number(db.get(sql, key_id, begin_ms, begin_ms + day_ms)?.spent)
}

const day_ms = 86_400_000
