/**
 * Accounts on PostgreSQL. Changes that depend on the accounts in a role take one lock first, so that the second of two
 * concurrent changes sees the first: an instance is claimed once, and the last operator stays.
 */

import { type Account, emailTaken, lastInRole, operatorRoleIsFixed } from "@postcode/gateway/accounts/Account"
import { Accounts, type Credentials } from "@postcode/gateway/accounts/Accounts"
import { notFound } from "@postcode/gateway/Errors"
import type { Role } from "@postcode/gateway/ManagementAccess"
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
      hasOperator: () => asking(hasOperator(sql)),
      find: (id) => asking(find(sql, id)),
      findByEmail: (email) =>
        asking(
          Effect.map(
            sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts WHERE email = ${email}`,
            ([row]) => row && toCredentials(row)
          )
        ),
      list: ({ organization_id }, page) =>
        Effect.gen(function* () {
          const before = yield* numberBefore(page)
          const rows = yield* sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts
            WHERE organization_id IS NOT DISTINCT FROM ${organization_id ?? null} AND number < ${before}
            ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
          return pageOf(rows, page, (row) => toCredentials(row).account)
        }).pipe(asking),
      change: (id, change) => asking(inTransaction(sql, changeAccount(sql, id, change))),
      remove: (id) => asking(inTransaction(sql, remove(sql, id)))
    })
  )
)

type Service = Accounts["Service"]

const lock = (sql: SqlClient) => sql`SELECT pg_advisory_xact_lock(${advisoryLocks.accounts}::bigint)`

const accept = Effect.fnUntraced(function* (
  sql: SqlClient,
  hash: string,
  { created_at, email, id, name, password }: Parameters<Service["accept"]>[1],
  now: string
) {
  yield* lock(sql)
  const invitation = yield* takeInvitation(sql, hash, now)
  if (invitation === undefined) return yield* notFound("invitation")
  const { organization_id = null, role } = invitation
  const [row] = yield* sql<AccountRow>`INSERT INTO postcode.accounts
    (id, number, email, name, role, organization_id, password, epoch, created_at)
    VALUES (${id}, ${newRowNumber()}, ${email}, ${name}, ${role}, ${organization_id}, ${password}, 1, ${created_at})
    ON CONFLICT (email) DO NOTHING RETURNING ${accountColumns(sql)}`
  // The failure rolls back, so the invitation stays valid.
  if (row === undefined) return yield* emailTaken
  return toCredentials(row)
})

const hasOperator = (sql: SqlClient) =>
  Effect.map(sql`SELECT FROM postcode.accounts WHERE role = 'operator' LIMIT 1`, (operators) => operators.length > 0)

const find = (sql: SqlClient, id: string) =>
  Effect.flatMap(sql<AccountRow>`SELECT ${accountColumns(sql)} FROM postcode.accounts WHERE id = ${id}`, ([row]) =>
    row === undefined ? Effect.fail(notFound("account")) : Effect.succeed(toCredentials(row))
  )

const changeAccount = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string,
  { ends_sessions, epoch, name, password, role, withdraws_invitations }: Parameters<Service["change"]>[1]
) {
  if (role !== undefined) {
    yield* lock(sql)
    const { account } = yield* find(sql, id)
    if (account.role === "operator") return yield* operatorRoleIsFixed
    if (account.role !== role) yield* keepLast(sql, account)
  }
  const [row] = yield* sql<AccountRow>`UPDATE postcode.accounts SET
    name = coalesce(${name ?? null}, name),
    role = coalesce(${role ?? null}, role),
    password = coalesce(${password ?? null}, password),
    epoch = epoch + ${ends_sessions ? 1 : 0}
    WHERE id = ${id} AND epoch = coalesce(${epoch ?? null}, epoch) RETURNING ${accountColumns(sql)}`
  if (row === undefined) return yield* notFound("account")
  if (withdraws_invitations) yield* sql`DELETE FROM postcode.invitations WHERE created_by = ${id}`
  return toCredentials(row)
})

/** The foreign keys also delete its console sessions and passkeys. */
const remove = Effect.fnUntraced(function* (sql: SqlClient, id: string) {
  yield* lock(sql)
  const { account } = yield* find(sql, id)
  yield* keepLast(sql, account)
  yield* sql`DELETE FROM postcode.accounts WHERE id = ${id}`
  // After the account, whose deletion waits for an invitation that the account is creating.
  yield* sql`DELETE FROM postcode.invitations WHERE created_by = ${id}`
})

/** Fails if the account is the last one in a role that needs at least one. */
const keepLast = Effect.fnUntraced(function* (sql: SqlClient, { id, organization_id, role }: Account) {
  if (role !== "operator" && role !== "owner") return
  const others = yield* sql`SELECT FROM postcode.accounts
    WHERE role = ${role} AND organization_id IS NOT DISTINCT FROM ${organization_id ?? null} AND id <> ${id} LIMIT 1`
  if (others.length === 0) return yield* lastInRole(role)
})

export interface AccountRow {
  readonly number: bigint
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly organization_id: string | null
  readonly password: string
  readonly epoch: number
  readonly created_at: Date
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
export const accountColumns = (sql: SqlClient) =>
  sql.literal("number, id, email, name, role, organization_id, password, epoch, created_at")

/** An account with its credentials. */
export const toCredentials = ({ epoch, password, ...row }: AccountRow): Credentials => ({
  account: {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    ...(row.organization_id !== null && { organization_id: row.organization_id }),
    created_at: row.created_at.toISOString()
  },
  password,
  epoch
})
