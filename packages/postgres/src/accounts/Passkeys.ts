/** Passkeys and their challenges on PostgreSQL. */

import { maxPasskeys, type Passkey, passkeyTaken, tooManyPasskeys } from "@postcode/gateway/accounts/passkeys/Passkey"
import { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import { notFound } from "@postcode/gateway/Errors"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { type AccountRow, accountColumns, toCredentials } from "./Accounts.ts"

/** The port `Passkeys`. */
export const layerPasskeys: Layer.Layer<Passkeys, never, SqlClient> = Layer.effect(
  Passkeys,
  Effect.map(SqlClient, (sql) =>
    Passkeys.of({
      keepChallenge: (hash, { account_id = null, expires_at }) =>
        sql`INSERT INTO postcode.passkey_challenges (hash, account_id, expires_at)
          VALUES (${hash}, ${account_id}, ${expires_at})`.pipe(Effect.asVoid, asking),
      takeChallenge: (hash, now) =>
        asking(
          Effect.map(
            sql<ChallengeRow>`DELETE FROM postcode.passkey_challenges WHERE hash = ${hash}
              RETURNING account_id, expires_at, expires_at > ${now}::timestamptz AS counts`,
            ([row]) =>
              row?.counts === true
                ? { account_id: row.account_id ?? undefined, expires_at: row.expires_at.toISOString() }
                : undefined
          )
        ),
      add: (passkey) => asking(inTransaction(sql, add(sql, passkey))),
      list: (account_id) =>
        asking(
          Effect.map(
            sql<PasskeyRow>`SELECT ${passkeyColumns(sql)} FROM postcode.passkeys WHERE account_id = ${account_id}
              ORDER BY number DESC`,
            (rows) => rows.map(toPasskey)
          )
        ),
      find: (credential_id) => asking(find(sql, credential_id)),
      use: (id, counter, last_used_at) =>
        asking(
          Effect.map(
            sql`UPDATE postcode.passkeys SET counter = ${counter}, last_used_at = ${last_used_at}
              WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) RETURNING id`,
            (used) => used.length > 0
          )
        ),
      remove: (account_id, id) =>
        asking(
          Effect.flatMap(
            sql`DELETE FROM postcode.passkeys WHERE account_id = ${account_id} AND id = ${id} RETURNING id`,
            (removed) => (removed.length === 0 ? Effect.fail(notFound("passkey")) : Effect.void)
          )
        )
    })
  )
)

const add = Effect.fnUntraced(function* (sql: SqlClient, passkey: Passkey) {
  const { account_id, counter, created_at, credential_id, id, name, public_key } = passkey
  // Concurrent additions to the account wait for this lock, so that none exceeds the maximum.
  const [account] = yield* sql`SELECT FROM postcode.accounts WHERE id = ${account_id} FOR NO KEY UPDATE`
  if (account === undefined) return yield* notFound("account")
  const held = yield* sql`SELECT FROM postcode.passkeys WHERE account_id = ${account_id} LIMIT ${maxPasskeys}`
  if (held.length >= maxPasskeys) return yield* tooManyPasskeys
  const stored = yield* sql`INSERT INTO postcode.passkeys
    (id, number, account_id, name, credential_id, public_key, counter, created_at)
    VALUES (${id}, ${newRowNumber()}, ${account_id}, ${name}, ${credential_id}, ${public_key}, ${counter}, ${created_at})
    ON CONFLICT (credential_id) DO NOTHING RETURNING id`
  if (stored.length === 0) return yield* passkeyTaken
})

const find = Effect.fnUntraced(function* (sql: SqlClient, credential_id: string) {
  const [row] = yield* sql<PasskeyRow>`SELECT ${passkeyColumns(sql)} FROM postcode.passkeys
    WHERE credential_id = ${credential_id}`
  if (row === undefined) return undefined
  const [account] = yield* sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts a
    WHERE a.id = ${row.account_id}`
  return account === undefined ? undefined : { passkey: toPasskey(row), credentials: toCredentials(account) }
})

interface ChallengeRow {
  readonly account_id: string | null
  readonly expires_at: Date
  readonly counts: boolean
}

type PasskeyRow = Omit<Passkey, "counter" | "created_at" | "last_used_at"> & {
  readonly counter: bigint
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const passkeyColumns = (sql: SqlClient) =>
  sql.literal("id, account_id, name, credential_id, public_key, counter, created_at, last_used_at")

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  account_id: row.account_id,
  name: row.name,
  credential_id: row.credential_id,
  public_key: row.public_key,
  counter: Number(row.counter),
  created_at: row.created_at.toISOString(),
  ...(row.last_used_at !== null && { last_used_at: row.last_used_at.toISOString() })
})
