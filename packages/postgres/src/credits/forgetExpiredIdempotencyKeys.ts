/** Deletes the records of expired idempotency keys. Charges ignore them, so this only limits the size of the table. */
import type { Unavailable } from "@postcode/gateway/Errors"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asking } from "../connection/Database.ts"
import { alone } from "../maintenance/MaintenanceStep.ts"

/** Deletes about 1,000 records per transaction, the first to expire first, and returns their number. */
export const forgetExpiredIdempotencyKeys: Effect.Effect<number, Unavailable, SqlClient.SqlClient> = Effect.gen(
  function* () {
    let forgotten = 0
    for (;;) {
      const deleted = (yield* asking(alone("cleanUp", forgetSome))) ?? 0
      forgotten += deleted
      if (deleted < recordsAtOnce) return forgotten
    }
  }
)

const recordsAtOnce = 1_000

const forgetSome = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A charge may renew an expired record. If both wait for each other, this gives up, before the server ends the charge.
  yield* sql`SELECT set_config('lock_timeout', '100ms', true)`
  const [last] = yield* sql<{ readonly expires_at: string }>`
    SELECT expires_at::text FROM postcode.idempotency_keys WHERE expires_at <= now()
    ORDER BY expires_at OFFSET ${recordsAtOnce - 1}::integer LIMIT 1`
  const deleted = yield* sql`DELETE FROM postcode.idempotency_keys
    WHERE expires_at <= coalesce(${last?.expires_at ?? null}::text::timestamptz, now()) RETURNING 1`
  return deleted.length
})
