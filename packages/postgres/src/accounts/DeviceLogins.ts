/** Logins of devices on PostgreSQL. */
import {
  type DeviceDecision,
  type DeviceLogin,
  type DevicePoll,
  maxDeviceLogins,
  minPoll_ms
} from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { DeviceLogins } from "@postcode/gateway/accounts/deviceLogins/DeviceLogins"
import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"

/** The port `DeviceLogins`. */
export const layerDeviceLogins: Layer.Layer<DeviceLogins, never, SqlClient> = Layer.effect(
  DeviceLogins,
  Effect.map(SqlClient, (sql) =>
    DeviceLogins.of({
      add: (login) => asking(add(sql, login)),
      find: (user_hash, now) =>
        asking(
          Effect.map(
            sql<LoginRow>`SELECT ${columns(sql)} FROM postcode.device_logins WHERE ${isUndecided(sql, user_hash, now)}`,
            ([row]) => row && toLogin(row)
          )
        ),
      decide: (user_hash, decision, now) => {
        const { account_id = null, organization_id = null, role = null } = decision._tag === "Approved" ? decision : {}
        return asking(
          Effect.map(
            sql<LoginRow>`UPDATE postcode.device_logins SET is_approved = ${decision._tag === "Approved"},
                account_id = ${account_id}, organization_id = ${organization_id}, role = ${role}
              WHERE ${isUndecided(sql, user_hash, now)} RETURNING ${columns(sql)}`,
            ([row]) => row && toLogin(row)
          )
        )
      },
      poll: (device_hash, now) => asking(inTransaction(sql, poll(sql, device_hash, now)))
    })
  )
)

/** Rows that another transaction removes are skipped, so that none waits for it. */
const add = Effect.fnUntraced(function* (sql: SqlClient, login: DeviceLogin) {
  const { created_at, device_hash, expires_at, machine, user_hash } = login
  yield* sql`DELETE FROM postcode.device_logins WHERE device_hash IN (
    SELECT device_hash FROM postcode.device_logins WHERE expires_at <= ${created_at}::timestamptz
    FOR UPDATE SKIP LOCKED)`
  const [counted] = yield* sql<{ readonly is_full: boolean }>`SELECT
    (SELECT count(*) FROM postcode.device_logins) >= ${maxDeviceLogins}::integer AS is_full`
  if (counted?.is_full !== false) return "full" as const
  const stored = yield* sql`INSERT INTO postcode.device_logins (device_hash, user_hash, machine, created_at, expires_at)
    VALUES (${device_hash}, ${user_hash}, ${machine}, ${created_at}::timestamptz, ${expires_at}::timestamptz)
    ON CONFLICT DO NOTHING RETURNING device_hash`
  return stored.length === 0 ? ("taken" as const) : ("added" as const)
})

/** The lock makes concurrent requests of a program wait, so that one gets the decision. */
const poll = Effect.fnUntraced(function* (sql: SqlClient, device_hash: string, now: string) {
  const [row] = yield* sql<LoginRow & DecisionRow>`SELECT ${columns(sql)}, polled_at, is_approved, account_id,
      organization_id, role
    FROM postcode.device_logins WHERE device_hash = ${device_hash} FOR UPDATE`
  if (row === undefined) return { _tag: "Gone" } as DevicePoll
  if (row.expires_at <= new Date(now)) return { _tag: "Expired" } as DevicePoll
  const decision = decisionIn(row)
  if (decision !== undefined) {
    yield* sql`DELETE FROM postcode.device_logins WHERE device_hash = ${device_hash}`
    return { _tag: "Decided", login: toLogin(row), decision } as DevicePoll
  }
  yield* sql`UPDATE postcode.device_logins SET polled_at = ${now}::timestamptz WHERE device_hash = ${device_hash}`
  const isTooSoon = row.polled_at !== null && Date.parse(now) - row.polled_at.getTime() < minPoll_ms
  return { _tag: isTooSoon ? "TooSoon" : "Pending" } as DevicePoll
})

const isUndecided = (sql: SqlClient, user_hash: string, now: string) =>
  sql`user_hash = ${user_hash} AND expires_at > ${now}::timestamptz AND is_approved IS NULL`

/** Deletes logins that have expired. */
export const forgetPastDeviceLogins = Effect.flatMap(
  SqlClient,
  (sql) => sql`DELETE FROM postcode.device_logins WHERE expires_at < now()`
)

interface LoginRow {
  readonly device_hash: string
  readonly user_hash: string
  readonly machine: string
  readonly created_at: Date
  readonly expires_at: Date
}

interface DecisionRow {
  readonly polled_at: Date | null
  readonly is_approved: boolean | null
  readonly account_id: string | null
  readonly organization_id: string | null
  readonly role: MemberRole | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const columns = (sql: SqlClient) => sql.literal("device_hash, user_hash, machine, created_at, expires_at")

const toLogin = ({ created_at, expires_at, ...row }: LoginRow): DeviceLogin => ({
  device_hash: row.device_hash,
  user_hash: row.user_hash,
  machine: row.machine,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString()
})

const decisionIn = ({ account_id, is_approved, organization_id, role }: DecisionRow): DeviceDecision | undefined => {
  if (is_approved === null) return undefined
  if (account_id === null || organization_id === null || role === null) return { _tag: "Denied" }
  return { _tag: "Approved", account_id, organization_id, role }
}
