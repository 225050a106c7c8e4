/** Notices as rows that wait to be sent. */
import { PgTypes } from "@effect/sql-pg"
import {
  classOf,
  type NoticeLimits,
  type OperatorNotice,
  type OrganizationNotice,
  rulesOf
} from "@postcode/gateway/notices/Notice"
import type { NoticeOutcome, PersonalNotice } from "@postcode/gateway/notices/Notices"
import { noticeOfEvent } from "@postcode/gateway/notices/noticeOfEvent"
import type { EventContent } from "@postcode/gateway/webhooks/Webhook"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { columnIn } from "../credits/ChargeBatch.ts"

/** An event of an account, by the account's position in the statement, from 1. */
interface AccountEvent {
  readonly account: number
  readonly event: EventContent
}

/** SQL for the accounts of the statement, as in `insertEvents`. */
interface NoticeNames {
  readonly organization: Fragment
  readonly at: Fragment
  /** Joins the accounts `w` to the notices `c`; undefined if parameters name the account. */
  readonly isWritten?: Fragment
}

/** Inserts the notices of events, for each account of their organization with a role of the kind. Undefined without any. */
export const insertNotices = (
  sql: SqlClient,
  events: ReadonlyArray<AccountEvent>,
  { at, isWritten = sql.literal(""), organization }: NoticeNames,
  { address_per_hour, isOn }: NoticeLimits
): Statement<unknown> | undefined => {
  const notices = isOn
    ? events.flatMap(({ account, event }) => {
        const notice = noticeOfEvent(event)
        return notice === undefined ? [] : [{ account, notice }]
      })
    : []
  if (notices.length === 0) return undefined
  const column = columnIn(sql, notices)
  const { int4, text } = PgTypes.OID
  return sql`
    INSERT INTO postcode.notices
      (id, kind, class, email, account_id, organization_id, facts, created_at, first_due_at, due_at)
    SELECT ${newId(sql)}, c.kind, 'other', a.email, a.id, m.organization_id, c.facts::json, ${at}, due.at, due.at
    FROM unnest(
      ${column(int4, ({ account }) => account)}, ${column(text, ({ notice }) => notice.kind)},
      ${column(text, ({ notice }) => JSON.stringify(notice.facts))}, ${column(text, ({ notice }) => rolesOf(notice))}
    ) AS c (account, kind, facts, roles)
    ${isWritten}
    JOIN postcode.memberships m ON m.organization_id = ${organization} AND m.role = ANY (string_to_array(c.roles, ' '))
    JOIN postcode.accounts a ON a.id = m.account_id
    CROSS JOIN LATERAL (SELECT ${nextSlot(sql, at, address_per_hour)} AS at) due
    WHERE ${wants(sql)}`
}

/** Inserts a notice for each account with a role of its kind: of its organization, or for each operator. */
export const insertForRoles = (
  sql: SqlClient,
  notice: OperatorNotice | OrganizationNotice,
  { address_per_hour }: NoticeLimits
): Effect.Effect<NoticeOutcome, SqlError> => {
  const at = sql`statement_timestamp()`
  const { facts, kind } = notice
  const organization_id = "organization_id" in facts ? facts.organization_id : null
  const isRecipient =
    organization_id === null
      ? sql`a.is_operator`
      : sql`EXISTS (SELECT FROM postcode.memberships m WHERE m.account_id = a.id
          AND m.organization_id = ${organization_id} AND m.role = ANY (string_to_array(${rolesOf(notice)}, ' ')))`
  const rows = sql`
    INSERT INTO postcode.notices
      (id, kind, class, email, account_id, organization_id, facts, created_at, first_due_at, due_at)
    SELECT ${newId(sql)}, c.kind, 'other', a.email, a.id, ${organization_id}, ${JSON.stringify(facts)}::json, ${at},
      due.at, due.at
    FROM (SELECT ${kind}::text AS kind) c
    JOIN postcode.accounts a ON ${isRecipient}
    CROSS JOIN LATERAL (
      SELECT GREATEST(${nextSlot(sql, at, address_per_hour)}, ${kind === "review_waiting" ? nextReview(sql) : at}) AS at
    ) due
    WHERE ${wants(sql)} AND ${kind === "review_waiting" ? hasNoReview(sql) : sql`true`}
    RETURNING id`
  const stored = Effect.map(rows, ({ length }): NoticeOutcome => (length > 0 ? "stored" : "off"))
  // Concurrent calls see each other's rows, so that an operator gets one.
  return kind === "review_waiting" ? Effect.andThen(sql`SELECT ${lock(sql, kind, "")}`, stored) : stored
}

/** Inserts a notice to an address or an account. Those that anyone can cause are inserted one after the other, to be counted. */
export const insertPersonal = (
  sql: SqlClient,
  { account_id, client_hash, email, facts, id, isWithheld, kind, link_expires_at, sealed_token }: PersonalNotice,
  { address_per_hour, client_per_hour }: NoticeLimits
): Effect.Effect<NoticeOutcome, SqlError> =>
  Effect.gen(function* () {
    const client = client_hash ?? null
    const isLimited = classOf(kind) === "requested"
    if (isLimited) yield* sql`SELECT ${lock(sql, "client", client ?? "")}, ${lock(sql, "email", email ?? "")}`
    const organization_id = facts.organization_id ?? null
    const rows = yield* sql`
      INSERT INTO postcode.notices
        (id, kind, class, email, account_id, organization_id, facts, token, link_expires_at, client, status, fault,
          created_at, first_due_at, due_at)
      SELECT ${id}, ${kind}, ${classOf(kind)}, to_.email, ${account_id ?? null}, ${organization_id},
        ${JSON.stringify(facts)}::json, ${isWithheld ? null : (sealed_token ?? null)}, ${link_expires_at ?? null}::timestamptz,
        ${isLimited ? client : null}, ${isWithheld ? "skipped" : "pending"}, ${isWithheld ? withheld : null},
        statement_timestamp(), statement_timestamp(), CASE WHEN ${isWithheld}::boolean THEN NULL ELSE statement_timestamp() END
      FROM (
        SELECT coalesce(${email ?? null}, (SELECT a.email FROM postcode.accounts a WHERE a.id = ${account_id ?? null})) AS email
      ) to_
      WHERE to_.email IS NOT NULL AND (NOT ${isLimited}::boolean OR (
        (SELECT count(*) FROM postcode.notices n WHERE n.email = to_.email AND n.class = 'requested'
          AND n.created_at > statement_timestamp() - ${window(sql)}) < ${address_per_hour}::integer
        AND (SELECT count(*) FROM postcode.notices n WHERE n.client = ${client}
          AND n.created_at > statement_timestamp() - ${window(sql)}) < ${client_per_hour}::integer
      ))
      RETURNING id`
    return rows.length > 0 ? "stored" : isLimited ? "limited" : "off"
  })

const withheld = "withheld: the address has no account that this is about"

const window = (sql: SqlClient): Fragment => sql.literal("interval '1 hour'")

/** `ntc_` and 122 random bits in hexadecimal. */
const newId = (sql: SqlClient): Fragment => sql.literal("'ntc_' || replace(gen_random_uuid()::text, '-', '')")

/** Until the end of the transaction. Locks of this kind differ from all with one number. */
const lock = (sql: SqlClient, subject: string, name: string): Fragment =>
  sql`pg_advisory_xact_lock(${advisoryLocks.notices}::integer, hashtext(${`${subject} ${name}`}))`

const rolesOf = ({ kind }: OperatorNotice | OrganizationNotice): string => {
  const { to } = rulesOf(kind)
  return Array.isArray(to) ? to.join(" ") : ""
}

/** Whether account `a` has not switched off the kind of `c`. */
const wants = (sql: SqlClient): Fragment =>
  sql.literal(`NOT EXISTS (
      SELECT FROM postcode.notices_off o WHERE o.account_id = a.id AND o.kind = c.kind
    )`)

/** When account `a` gets its next notice: now, or an hour after the one that is as many before as an hour allows. */
const nextSlot = (sql: SqlClient, at: Fragment, per_hour: number): Fragment => sql`GREATEST(${at}, (
      SELECT n.first_due_at + ${window(sql)} FROM postcode.notices n
      WHERE n.email = a.email AND n.class = 'other' AND n.first_due_at > ${at} - ${window(sql)}
      ORDER BY n.first_due_at DESC OFFSET ${per_hour - 1}::integer LIMIT 1
    ))`

/** An hour after the last notice of reviews to account `a`; null without one. */
const nextReview = (sql: SqlClient): Fragment => sql`(
        SELECT max(n.first_due_at) + ${window(sql)} FROM postcode.notices n
        WHERE n.email = a.email AND n.kind = 'review_waiting'
      )`

const hasNoReview = (sql: SqlClient): Fragment =>
  sql.literal(`NOT EXISTS (
      SELECT FROM postcode.notices n WHERE n.email = a.email AND n.kind = 'review_waiting' AND n.due_at IS NOT NULL
    )`)
