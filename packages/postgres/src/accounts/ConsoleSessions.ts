/** Console sessions on PostgreSQL. */
import { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking } from "../connection/Database.ts"
import { type AccountRow, accountColumns, toCredentials } from "./Accounts.ts"

/** The port `ConsoleSessions`. */
export const layerConsoleSessions: Layer.Layer<ConsoleSessions, never, SqlClient> = Layer.effect(
  ConsoleSessions,
  Effect.map(SqlClient, (sql) =>
    ConsoleSessions.of({
      // No session is stored if the account was removed meanwhile.
      start: (hash, { account_id, created_at, ends_at, epoch }) =>
        sql`INSERT INTO postcode.console_sessions (hash, account_id, epoch, created_at, ends_at)
          SELECT ${hash}, id, ${epoch}::integer, ${created_at}::timestamptz, ${ends_at}::timestamptz
          FROM postcode.accounts WHERE id = ${account_id} FOR KEY SHARE`.pipe(Effect.asVoid, asking),
      find: (hash, now) =>
        asking(
          Effect.map(
            sql<SessionRow>`SELECT s.created_at AS session_created_at, s.ends_at, ${accountColumns(sql)}
              FROM postcode.console_sessions s JOIN postcode.accounts a ON a.id = s.account_id AND a.epoch = s.epoch
              WHERE s.hash = ${hash} AND s.ends_at > ${now}`,
            ([row]) => row && toFound(row)
          )
        ),
      extend: (hash, ends_at) =>
        sql`UPDATE postcode.console_sessions SET ends_at = ${ends_at} WHERE hash = ${hash}`.pipe(Effect.asVoid, asking),
      end: (hash) => sql`DELETE FROM postcode.console_sessions WHERE hash = ${hash}`.pipe(Effect.asVoid, asking)
    })
  )
)

/** Deletes console sessions that have ended, and expired invitations and challenges. */
export const forgetEndedSessions = Effect.flatMap(SqlClient, (sql) =>
  Effect.all([
    sql`DELETE FROM postcode.console_sessions s WHERE ends_at < now() - interval '1 hour'
      OR NOT EXISTS (SELECT FROM postcode.accounts a WHERE a.id = s.account_id AND a.epoch = s.epoch)`,
    sql`DELETE FROM postcode.invitations WHERE expires_at < now() - interval '1 hour'`,
    sql`DELETE FROM postcode.passkey_challenges WHERE expires_at < now() - interval '1 hour'`
  ])
)

type SessionRow = AccountRow & {
  readonly session_created_at: Date
  readonly ends_at: Date
}

const toFound = (row: SessionRow) => ({
  session: {
    account_id: row.id,
    epoch: row.epoch,
    created_at: row.session_created_at.toISOString(),
    ends_at: row.ends_at.toISOString()
  },
  account: toCredentials(row).account
})
