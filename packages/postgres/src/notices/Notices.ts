/** Notices on PostgreSQL, shared by all replicas. Times are from the database's clock. */
import { randomBytes } from "node:crypto"
import { notFound } from "@postcode/gateway/Errors"
import {
  type NoticeKind,
  NoticeLimits,
  type NoticeSettlement,
  type NoticeStatus,
  type OptionalNotice,
  type StoredNotice
} from "@postcode/gateway/notices/Notice"
import { type LeasedNotice, type NoticeFilter, Notices } from "@postcode/gateway/notices/Notices"
import type { PageRequest } from "@postcode/gateway/Page"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { asking, inTransaction } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { insertForRoles, insertPersonal } from "./insertNotices.ts"

/** The port `Notices`. */
export const layerNotices: Layer.Layer<Notices, never, SqlClient.SqlClient> = Layer.effect(
  Notices,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const limits = yield* NoticeLimits
    const process = randomBytes(16).toString("hex")
    return Notices.of({
      isOn: () => limits.isOn,
      add: (notice) => {
        if (!limits.isOn) return Effect.succeed("off")
        const insert = "id" in notice ? insertPersonal(sql, notice, limits) : insertForRoles(sql, notice, limits)
        return asking(inTransaction(sql, insert))
      },
      lease: (limit, duration_ms) => asking(lease(sql, process, limits, limit, duration_ms)),
      settle: (leased, settlement) => asking(settle(sql, leased, settlement)),
      list: (filter, page) => asking(list(sql, filter, page)),
      get: (id) =>
        asking(
          Effect.flatMap(sql<NoticeRow>`SELECT ${columns(sql)} FROM postcode.notices n WHERE n.id = ${id}`, ([row]) =>
            row === undefined ? Effect.fail(notFound("notice")) : Effect.succeed(toNotice(row))
          )
        ),
      switchedOff: (account_id) =>
        asking(
          Effect.map(
            sql<{ readonly kind: OptionalNotice }>`SELECT kind FROM postcode.notices_off
              WHERE account_id = ${account_id} ORDER BY kind`,
            (rows) => rows.map(({ kind }) => kind)
          )
        ),
      switchOff: (account_id, kinds) => asking(inTransaction(sql, switchOff(sql, account_id, kinds)))
    })
  })
)

/** Deletes notices after 30 days, and withheld ones and the clients of all others when no limit needs them any more. */
export const forgetPastNotices = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.andThen(
    sql`DELETE FROM postcode.notices WHERE created_at < now() - interval '30 days'
      OR (status = 'skipped' AND attempts = 0 AND created_at < now() - interval '1 day')`,
    sql`UPDATE postcode.notices SET client = NULL
      WHERE client IS NOT NULL AND created_at < now() - interval '1 hour'`
  )
)

interface NoticeRow {
  readonly number: bigint
  readonly id: string
  readonly kind: NoticeKind
  readonly email: string
  readonly account_id: string | null
  readonly organization_id: string | null
  readonly facts: StoredNotice["facts"]
  readonly status: NoticeStatus
  readonly attempts: number
  readonly fault: string | null
  readonly created_at: Date
  readonly link_expires_at: Date | null
  readonly last_attempt_at: Date | null
  readonly due_at: Date | null
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. Without the token. */
const columns = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `n.number, n.id, n.kind, n.email, n.account_id, n.organization_id, n.facts, n.status, n.attempts, n.fault, n.created_at,
    n.link_expires_at, n.last_attempt_at, n.due_at`
  )

const toNotice = (row: NoticeRow): StoredNotice => ({
  id: row.id,
  kind: row.kind,
  email: row.email,
  ...(row.account_id !== null && { account_id: row.account_id }),
  ...(row.organization_id !== null && { organization_id: row.organization_id }),
  facts: row.facts,
  status: row.status,
  attempts: row.attempts,
  ...(row.fault !== null && { fault: row.fault }),
  created_at: row.created_at.toISOString(),
  ...(row.link_expires_at !== null && { link_expires_at: row.link_expires_at.toISOString() }),
  ...(row.last_attempt_at !== null && { last_attempt_at: row.last_attempt_at.toISOString() }),
  ...(row.due_at !== null && { next_attempt_at: row.due_at.toISOString() })
})

const list = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { email, kind, status }: NoticeFilter,
  page: PageRequest
) {
  const before = yield* numberBefore(page)
  const conditions = [
    sql`n.number < ${before}`,
    ...(status === undefined ? [] : [sql`n.status = ${status}`]),
    ...(kind === undefined ? [] : [sql`n.kind = ${kind}`]),
    ...(email === undefined ? [] : [sql`n.email = ${email}`])
  ]
  const rows = yield* sql<NoticeRow>`SELECT ${columns(sql)} FROM postcode.notices n WHERE ${sql.and(conditions)}
    ORDER BY n.number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, toNotice)
})

type LeasedRow = NoticeRow & { readonly token: string | null }

/** The first statement finds out whether anything is due, so that an idle service writes nothing. */
const lease = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  process: string,
  { per_day }: NoticeLimits,
  limit: number,
  duration_ms: number
) {
  const due = yield* sql`SELECT FROM postcode.notices n WHERE ${isDue(sql)} LIMIT 1`
  if (due.length === 0 || !(yield* claim(sql, process, duration_ms))) return []
  const rows = yield* sql<LeasedRow>`
    WITH sent AS (
      SELECT count(*)::integer AS number FROM postcode.notices n
      WHERE n.last_attempt_at > now() - interval '24 hours' AND n.status = 'sent' OR n.leased_until > now()
    ), due AS MATERIALIZED (
      SELECT n.id FROM postcode.notices n WHERE ${isDue(sql)}
      ORDER BY n.class = 'other', n.due_at, n.number
      LIMIT greatest(0, least(${limit}::integer, ${per_day}::integer - (SELECT number FROM sent)))
      FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE postcode.notices n SET attempts = attempts + 1,
        leased_until = now() + ${duration_ms}::double precision * interval '1 millisecond'
      FROM due WHERE n.id = due.id RETURNING n.*
    )
    SELECT ${columns(sql)}, n.token FROM leased n ORDER BY n.class = 'other', n.due_at, n.number`
  const names = yield* namesOf(
    sql,
    rows.flatMap(({ organization_id }) => organization_id ?? [])
  )
  return rows.map(
    (row): LeasedNotice => ({
      notice: toNotice(row),
      sealed_token: row.token ?? undefined,
      organization_name: names.get(row.organization_id ?? "")
    })
  )
})

/** The names of organizations, by their ids. */
const namesOf = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.succeed(new Map<string, string>())
    : Effect.map(
        sql<{ readonly id: string; readonly name: string }>`
          SELECT id, name FROM postcode.organizations WHERE id = ANY (${[...new Set(ids)]}::text[])`,
        (rows) => new Map(rows.map(({ id, name }) => [id, name]))
      )

const isDue = (sql: SqlClient.SqlClient) =>
  sql.literal("n.due_at <= now() AND (n.leased_until IS NULL OR n.leased_until <= now())")

/** Makes this process the only sender until its leases expire. False if another one is. */
const claim = (sql: SqlClient.SqlClient, process: string, duration_ms: number): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`INSERT INTO postcode.notice_sender AS s (process, until)
      VALUES (${process}, now() + ${duration_ms}::double precision * interval '1 millisecond')
      ON CONFLICT (one) DO UPDATE SET process = excluded.process, until = excluded.until
      WHERE s.process = excluded.process OR s.until <= now()
      RETURNING one`,
    ({ length }) => length > 0
  )

const settle = (
  sql: SqlClient.SqlClient,
  { notice }: LeasedNotice,
  { after_ms, fault, status }: NoticeSettlement
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`
    UPDATE postcode.notices SET status = ${status}, fault = ${fault ?? null}, last_attempt_at = now(), leased_until = NULL,
      due_at = now() + ${after_ms ?? null}::double precision * interval '1 millisecond',
      token = CASE WHEN ${status === "pending"}::boolean THEN token END
    WHERE id = ${notice.id} AND attempts = ${notice.attempts} AND status = 'pending'`)

/** The lock of the account prevents concurrent changes from mixing, and a removal from failing. */
const switchOff = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  account_id: string,
  kinds: ReadonlyArray<OptionalNotice>
) {
  const accounts = yield* sql`SELECT FROM postcode.accounts WHERE id = ${account_id} FOR NO KEY UPDATE`
  if (accounts.length === 0) return
  yield* sql`DELETE FROM postcode.notices_off WHERE account_id = ${account_id}`
  if (kinds.length === 0) return
  yield* sql`INSERT INTO postcode.notices_off (account_id, kind)
    SELECT ${account_id}, kind FROM unnest(string_to_array(${kinds.join(" ")}, ' ')) AS kind
    ON CONFLICT DO NOTHING`
})
