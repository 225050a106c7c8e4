/** Links that were sent by mail, on PostgreSQL, and the switch of sign-ups. */
import {
  type AccountLink,
  type AccountLinkKind,
  SignUpLimits,
  type SignUpOrigin
} from "@postcode/gateway/accounts/links/AccountLink"
import { AccountLinks } from "@postcode/gateway/accounts/links/AccountLinks"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { asking, inTransaction } from "../connection/Database.ts"

/** The port `AccountLinks`. */
export const layerAccountLinks: Layer.Layer<AccountLinks, never, SqlClient> = Layer.effect(
  AccountLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const limits = yield* SignUpLimits
    return AccountLinks.of({
      add: (hash, link) => asking(Effect.asVoid(insert(sql, hash, link, undefined))),
      addSignUp: (hash, link, origin) => asking(inTransaction(sql, addSignUp(sql, limits, hash, link, origin))),
      find: (hash, kind, now) =>
        asking(
          Effect.map(
            sql<LinkRow>`SELECT ${columns(sql)} FROM postcode.account_links WHERE ${works(sql, hash, kind, now)}`,
            ([row]) => row && toLink(row)
          )
        ),
      // A used link stays to be counted, without what is secret.
      take: (hash, kind, now) =>
        asking(
          Effect.map(
            sql<LinkRow>`UPDATE postcode.account_links SET is_used = true WHERE ${works(sql, hash, kind, now)}
              RETURNING ${columns(sql)}`,
            ([row]) => row && toLink(row)
          )
        ),
      end: (account_id, kind) =>
        sql`UPDATE postcode.account_links SET is_used = true
          WHERE account_id = ${account_id} AND kind = ${kind} AND NOT is_used`.pipe(Effect.asVoid, asking),
      isSignUpStopped: () =>
        asking(Effect.map(sql`SELECT FROM postcode.sign_up_stopped LIMIT 1`, ({ length }) => length > 0)),
      stopSignUp: (isStopped) =>
        asking(
          Effect.map(
            isStopped
              ? sql`INSERT INTO postcode.sign_up_stopped DEFAULT VALUES ON CONFLICT DO NOTHING RETURNING 1`
              : sql`DELETE FROM postcode.sign_up_stopped RETURNING 1`,
            ({ length }) => length > 0
          )
        )
    })
  })
)

/** Deletes links that no longer work and count for no limit, and the passwords of sign-ups that were confirmed or void. */
export const forgetPastLinks = Effect.flatMap(SqlClient, (sql) =>
  Effect.andThen(
    sql`DELETE FROM postcode.account_links
      WHERE expires_at < now() - interval '1 hour' AND created_at < now() - interval '1 day'`,
    sql`UPDATE postcode.account_links SET password = NULL WHERE (is_used OR is_void) AND password IS NOT NULL`
  )
)

/** Counts after a lock, so that concurrent transactions cannot exceed the limits. */
const addSignUp = Effect.fnUntraced(function* (
  sql: SqlClient,
  { all_per_day, client_per_hour, network_per_hour }: SignUpLimits,
  hash: string,
  link: AccountLink,
  origin: SignUpOrigin
) {
  yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.signUps}::bigint)`
  const { client_hash, network_hash } = origin
  const at = sql`${link.created_at}::timestamptz`
  const hour = sql`created_at > ${at} - interval '1 hour'`
  const [counted] = yield* sql<{ readonly is_within: boolean }>`SELECT
    (SELECT count(*) FROM postcode.account_links WHERE client = ${client_hash} AND ${hour}) < ${client_per_hour}::integer
    AND (SELECT count(*) FROM postcode.account_links WHERE network = ${network_hash} AND ${hour})
      < ${network_per_hour}::integer
    AND (SELECT count(*) FROM postcode.account_links WHERE kind = 'sign_up' AND created_at > ${at} - interval '1 day')
      < ${all_per_day}::integer AS is_within`
  if (counted?.is_within !== true) return false
  yield* insert(sql, hash, link, origin)
  return true
})

const insert = (sql: SqlClient, hash: string, link: AccountLink, origin: SignUpOrigin | undefined) => {
  const { accepted = null, account_id = null, created_at, email, expires_at, is_void, kind, password = null } = link
  const { client_hash = null, network_hash = null } = origin ?? {}
  return sql`INSERT INTO postcode.account_links
    (hash, kind, email, account_id, password, accepted, created_at, expires_at, is_void, is_used, client, network)
    VALUES (${hash}, ${kind}, ${email}, ${account_id}, ${password}, ${accepted}, ${created_at}, ${expires_at}, ${is_void},
      false, ${client_hash}, ${network_hash})`
}

const works = (sql: SqlClient, hash: string, kind: AccountLinkKind, now: string) =>
  sql`hash = ${hash} AND kind = ${kind} AND NOT is_void AND NOT is_used AND expires_at > ${now}`

interface LinkRow {
  readonly kind: AccountLinkKind
  readonly email: string
  readonly account_id: string | null
  readonly password: string | null
  readonly accepted: string | null
  readonly created_at: Date
  readonly expires_at: Date
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const columns = (sql: SqlClient) => sql.literal("kind, email, account_id, password, accepted, created_at, expires_at")

const toLink = ({ accepted, account_id, created_at, email, expires_at, kind, password }: LinkRow): AccountLink => ({
  kind,
  email,
  ...(account_id !== null && { account_id }),
  ...(password !== null && { password }),
  ...(accepted !== null && { accepted }),
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  is_void: false
})
