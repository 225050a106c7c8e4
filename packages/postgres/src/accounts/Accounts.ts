/**
 * Accounts on PostgreSQL. Changes that depend on the accounts in a role take one lock first, so that the second of two
 * concurrent changes sees the first: an instance is claimed once, and the last operator stays.
 */

import {
  type Account,
  alreadyMember,
  emailTaken,
  type Invitation,
  lastInRole,
  type Member,
  type Membership,
  maxMemberships,
  memberOf,
  otherAccount,
  tooManyMemberships
} from "@postcode/gateway/accounts/Account"
import { Accounts, type Credentials, type NewAccount } from "@postcode/gateway/accounts/Accounts"
import { notFound } from "@postcode/gateway/Errors"
import type { MemberRole } from "@postcode/gateway/ManagementAccess"
import type { PageRequest } from "@postcode/gateway/Page"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { asking, inTransaction } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { makeInvitations, takeInvitation } from "./Invitations.ts"

/** The port `Accounts`. */
export const layerAccounts: Layer.Layer<Accounts, never, SqlClient> = Layer.effect(
  Accounts,
  Effect.map(SqlClient, (sql) =>
    Accounts.of({
      ...makeInvitations(sql),
      accept: (hash, account, now) => asking(inTransaction(sql, accept(sql, hash, account, now))),
      join: (hash, account_id, now) => asking(inTransaction(sql, join(sql, hash, account_id, now))),
      addMember: (account_id, membership) => asking(inTransaction(sql, addMember(sql, account_id, membership))),
      open: (account, membership) => asking(inTransaction(sql, open(sql, account, membership))),
      hasOperator: () => asking(hasOperator(sql)),
      find: (id) => asking(find(sql, id)),
      findByEmail: (email) =>
        asking(
          Effect.map(
            sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts a WHERE a.email = ${email}`,
            ([row]) => row && toCredentials(row)
          )
        ),
      idOfEmail: (email) =>
        asking(
          Effect.map(
            // One row, and no memberships, whether there is one or not.
            sql<{
              readonly id: string | null
            }>`SELECT (SELECT a.id FROM postcode.accounts a WHERE a.email = ${email}) AS id`,
            ([row]) => row?.id ?? undefined
          )
        ),
      list: ({ organization_id }, page) =>
        asking(organization_id === undefined ? listOperators(sql, page) : listMembers(sql, organization_id, page)),
      change: (id, change) => asking(inTransaction(sql, changeAccount(sql, id, change))),
      changeRole: (id, organization_id, role) => asking(inTransaction(sql, changeRole(sql, id, organization_id, role))),
      leave: (id, organization_id) => asking(inTransaction(sql, leave(sql, id, organization_id))),
      remove: (id) => asking(inTransaction(sql, remove(sql, id)))
    })
  )
)

type Service = Accounts["Service"]

const lock = (sql: SqlClient) => sql`SELECT pg_advisory_xact_lock(${advisoryLocks.accounts}::bigint)`

const accept = Effect.fnUntraced(function* (sql: SqlClient, hash: string, account: NewAccount, now: string) {
  yield* lock(sql)
  const invitation = yield* takeInvitation(sql, hash, now)
  if (invitation === undefined) return yield* notFound("invitation")
  // The failure rolls back, so the invitation stays valid.
  yield* insertAccount(sql, account)
  // A new account belongs to nothing.
  yield* Effect.catchTag(grant(sql, account.id, invitation, now), "Conflict", Effect.die)
  return yield* find(sql, account.id)
})

const open = Effect.fnUntraced(function* (sql: SqlClient, account: NewAccount, membership: Membership) {
  yield* lock(sql)
  yield* insertAccount(sql, account)
  yield* insertMembership(sql, account.id, membership)
  return yield* Effect.catchTag(find(sql, account.id), "NotFound", Effect.die)
})

const insertAccount = Effect.fnUntraced(function* (
  sql: SqlClient,
  { created_at, email, id, name, password }: NewAccount
) {
  const created = yield* sql`INSERT INTO postcode.accounts
    (id, number, email, name, is_operator, password, epoch, created_at)
    VALUES (${id}, ${newRowNumber()}, ${email}, ${name}, false, ${password}, 1, ${created_at})
    ON CONFLICT (email) DO NOTHING RETURNING id`
  if (created.length === 0) return yield* emailTaken
})

const join = Effect.fnUntraced(function* (sql: SqlClient, hash: string, account_id: string, now: string) {
  yield* lock(sql)
  const invitation = yield* takeInvitation(sql, hash, now)
  if (invitation === undefined) return yield* notFound("invitation")
  const { account } = yield* find(sql, account_id)
  // A failure rolls back, so the invitation stays valid.
  if (invitation.email !== undefined && invitation.email !== account.email) return yield* otherAccount
  if (invitation.organization_id === undefined && account.is_operator) return yield* alreadyMember
  yield* grant(sql, account_id, invitation, now)
  return (yield* find(sql, account_id)).account
})

/** Gives an account what an invitation entitles to. */
const grant = (sql: SqlClient, id: string, { organization_id, role }: Invitation, now: string) =>
  organization_id === undefined
    ? sql`UPDATE postcode.accounts SET is_operator = true WHERE id = ${id}`
    : insertMembership(sql, id, { organization_id, role: role as MemberRole, joined_at: now })

const addMember = Effect.fnUntraced(function* (sql: SqlClient, account_id: string, membership: Membership) {
  yield* lock(sql)
  yield* find(sql, account_id)
  yield* insertMembership(sql, account_id, membership)
  return (yield* find(sql, account_id)).account
})

/** After the lock, so that concurrent transactions cannot exceed the maximum. */
const insertMembership = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string,
  { joined_at, organization_id, role }: Membership
) {
  const held = yield* sql<{ readonly organization_id: string }>`SELECT organization_id FROM postcode.memberships
    WHERE account_id = ${id}`
  if (held.some((other) => other.organization_id === organization_id)) return yield* alreadyMember
  if (held.length >= maxMemberships) return yield* tooManyMemberships
  yield* sql`INSERT INTO postcode.memberships (account_id, organization_id, number, role, joined_at)
    VALUES (${id}, ${organization_id}, ${newRowNumber()}, ${role}, ${joined_at})`
})

const hasOperator = (sql: SqlClient) =>
  Effect.map(sql`SELECT FROM postcode.accounts WHERE is_operator LIMIT 1`, (operators) => operators.length > 0)

const find = (sql: SqlClient, id: string) =>
  Effect.flatMap(sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts a WHERE a.id = ${id}`, ([row]) =>
    row === undefined ? Effect.fail(notFound("account")) : Effect.succeed(toCredentials(row))
  )

const listOperators = Effect.fnUntraced(function* (sql: SqlClient, page: PageRequest) {
  const before = yield* numberBefore(page)
  const rows = yield* sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts a
    WHERE a.is_operator AND a.number < ${before} ORDER BY a.number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, (row) => memberOf(toCredentials(row).account, undefined))
})

const listMembers = Effect.fnUntraced(function* (sql: SqlClient, organization_id: string, page: PageRequest) {
  const before = yield* numberBefore(page)
  const rows = yield* sql<MemberRow>`SELECT ${memberColumns(sql)}
    FROM postcode.memberships m JOIN postcode.accounts a ON a.id = m.account_id
    WHERE m.organization_id = ${organization_id} AND m.number < ${before}
    ORDER BY m.number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, toMember)
})

const changeAccount = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string,
  { email, ends_sessions, epoch, name, password }: Parameters<Service["change"]>[1]
) {
  if (email !== undefined) {
    yield* lock(sql)
    const others = yield* sql`SELECT FROM postcode.accounts WHERE email = ${email} AND id <> ${id}`
    if (others.length > 0) return yield* emailTaken
  }
  const changed = yield* sql`UPDATE postcode.accounts SET
    email = coalesce(${email ?? null}, email),
    name = coalesce(${name ?? null}, name),
    password = coalesce(${password ?? null}, password),
    epoch = epoch + ${ends_sessions ? 1 : 0}
    WHERE id = ${id} AND epoch = coalesce(${epoch ?? null}, epoch) RETURNING id`
  if (changed.length === 0) return yield* notFound("account")
  return yield* find(sql, id)
})

const changeRole = Effect.fnUntraced(function* (sql: SqlClient, id: string, organization_id: string, role: MemberRole) {
  yield* lock(sql)
  const before = yield* findMember(sql, id, organization_id)
  if (before.role !== role) yield* keepOwner(sql, before)
  yield* sql`UPDATE postcode.memberships SET role = ${role}
    WHERE account_id = ${id} AND organization_id = ${organization_id}`
  yield* withdrawBy(sql, id, organization_id)
  return { ...before, role }
})

const leave = Effect.fnUntraced(function* (sql: SqlClient, id: string, organization_id: string) {
  yield* lock(sql)
  const member = yield* findMember(sql, id, organization_id)
  yield* keepOwner(sql, member)
  yield* sql`DELETE FROM postcode.memberships WHERE account_id = ${id} AND organization_id = ${organization_id}`
  const removed = yield* sql`DELETE FROM postcode.accounts a WHERE a.id = ${id} AND NOT a.is_operator
    AND NOT EXISTS (SELECT FROM postcode.memberships WHERE account_id = a.id) RETURNING id`
  // After the membership, whose deletion waits for an invitation that the account is creating.
  yield* withdrawBy(sql, id, organization_id)
  return { member, was_removed: removed.length > 0 }
})

/** The foreign keys also delete its memberships, console sessions and passkeys. */
const remove = Effect.fnUntraced(function* (sql: SqlClient, id: string) {
  yield* lock(sql)
  const { account } = yield* find(sql, id)
  if (account.is_operator) yield* keepOperator(sql, id)
  for (const membership of account.memberships) yield* keepOwner(sql, memberOf(account, membership))
  yield* sql`DELETE FROM postcode.accounts WHERE id = ${id}`
  // After the account, whose deletion waits for an invitation that the account is creating.
  yield* sql`DELETE FROM postcode.invitations WHERE created_by = ${id}`
})

const withdrawBy = (sql: SqlClient, id: string, organization_id: string) =>
  sql`DELETE FROM postcode.invitations WHERE created_by = ${id} AND organization_id = ${organization_id}`

const findMember = Effect.fnUntraced(function* (sql: SqlClient, id: string, organization_id: string) {
  const [row] = yield* sql<MemberRow>`SELECT ${memberColumns(sql)}
    FROM postcode.memberships m JOIN postcode.accounts a ON a.id = m.account_id
    WHERE m.account_id = ${id} AND m.organization_id = ${organization_id}`
  return row === undefined ? yield* notFound("account") : toMember(row)
})

/** Fails if the member is the last owner of its organization. */
const keepOwner = Effect.fnUntraced(function* (sql: SqlClient, { id, organization_id, role }: Member) {
  if (role !== "owner") return
  const others = yield* sql`SELECT FROM postcode.memberships
    WHERE organization_id = ${organization_id ?? ""} AND role = 'owner' AND account_id <> ${id} LIMIT 1`
  if (others.length === 0) return yield* lastInRole("owner")
})

/** Fails if the account is the last operator. */
const keepOperator = Effect.fnUntraced(function* (sql: SqlClient, id: string) {
  const others = yield* sql`SELECT FROM postcode.accounts WHERE is_operator AND id <> ${id} LIMIT 1`
  if (others.length === 0) return yield* lastInRole("operator")
})

export interface AccountRow {
  readonly number: bigint
  readonly id: string
  readonly email: string
  readonly name: string
  readonly is_operator: boolean
  readonly password: string
  readonly epoch: number
  readonly created_at: Date
  /** In the order of joining. */
  readonly memberships: ReadonlyArray<Membership>
}

/** Of the table `accounts` as `a`. By name: a prepared `*` fails once a later version of the schema has added a column. */
export const accountColumns = (sql: SqlClient) =>
  sql.literal(`a.number, a.id, a.email, a.name, a.is_operator, a.password, a.epoch, a.created_at,
    (SELECT coalesce(json_agg(json_build_object('organization_id', m.organization_id, 'role', m.role,
        'joined_at', m.joined_at) ORDER BY m.number), '[]')
      FROM postcode.memberships m WHERE m.account_id = a.id) AS memberships`)

/** An account with its credentials. */
export const toCredentials = ({ epoch, password, ...row }: AccountRow): Credentials => ({
  account: toAccount(row),
  password,
  epoch
})

const toAccount = ({
  created_at,
  email,
  id,
  is_operator,
  memberships,
  name
}: Omit<AccountRow, "epoch" | "password">): Account => ({
  id,
  email,
  name,
  is_operator,
  memberships: memberships.map((membership) => ({
    ...membership,
    joined_at: new Date(membership.joined_at).toISOString()
  })),
  created_at: created_at.toISOString()
})

interface MemberRow {
  readonly number: bigint
  readonly id: string
  readonly email: string
  readonly name: string
  readonly organization_id: string
  readonly role: MemberRole
  readonly joined_at: Date
}

const memberColumns = (sql: SqlClient) =>
  sql.literal("m.number, a.id, a.email, a.name, m.organization_id, m.role, m.joined_at")

const toMember = ({ email, id, joined_at, name, organization_id, role }: MemberRow): Member => ({
  id,
  email,
  name,
  organization_id,
  role,
  joined_at: joined_at.toISOString()
})
