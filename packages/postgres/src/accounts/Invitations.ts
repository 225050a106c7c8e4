/** Invitations on PostgreSQL: the part of the port `Accounts` for invitations. */

import { type Invitation, maxOpenInvitations, tooManyInvitations } from "@postcode/gateway/accounts/Account"
import type { Accounts } from "@postcode/gateway/accounts/Accounts"
import { notFound } from "@postcode/gateway/Errors"
import type { Role } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { lockMaker } from "./lockMaker.ts"

/** The methods of the port for invitations. */
export const makeInvitations = (
  sql: SqlClient
): Pick<Accounts["Service"], "invitation" | "invitationOf" | "invitations" | "invite" | "withdraw"> => ({
  invite: (invitation, hash, maker) => {
    const storing = Effect.gen(function* () {
      const {
        created_at,
        created_by,
        email = null,
        expires_at,
        id,
        is_claim,
        organization_id = null,
        role
      } = invitation
      if (organization_id !== null) yield* requirePlace(sql, organization_id, created_at)
      yield* sql`INSERT INTO postcode.invitations
        (id, number, hash, role, email, organization_id, created_by, created_at, expires_at, is_claim)
        VALUES (${id}, ${newRowNumber()}, ${hash}, ${role}, ${email}, ${organization_id}, ${created_by}, ${created_at},
          ${expires_at}, ${is_claim})`
    })
    return asking(inTransaction(sql, maker === undefined ? storing : Effect.andThen(lockMaker(sql, maker), storing)))
  },

  invitations: ({ organization_id }, now, page) =>
    Effect.gen(function* () {
      const before = yield* numberBefore(page)
      const rows = yield* sql<InvitationRow>`SELECT ${invitationColumns(sql)} FROM postcode.invitations
        WHERE organization_id IS NOT DISTINCT FROM ${organization_id ?? null} AND ${isValid(sql, now)}
          AND number < ${before}
        ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
      return pageOf(rows, page, toInvitation)
    }).pipe(asking),

  invitation: (id) =>
    asking(
      Effect.flatMap(
        sql<InvitationRow>`SELECT ${invitationColumns(sql)} FROM postcode.invitations WHERE id = ${id}`,
        ([row]) => (row === undefined ? Effect.fail(notFound("invitation")) : Effect.succeed(toInvitation(row)))
      )
    ),

  invitationOf: (hash, now) =>
    asking(
      Effect.map(
        sql<InvitationRow>`SELECT ${invitationColumns(sql)} FROM postcode.invitations
          WHERE hash = ${hash} AND ${isValid(sql, now)}`,
        ([row]) => row && toInvitation(row)
      )
    ),

  withdraw: (id) =>
    asking(
      Effect.flatMap(sql`DELETE FROM postcode.invitations WHERE id = ${id} RETURNING id`, (removed) =>
        removed.length === 0 ? Effect.fail(notFound("invitation")) : Effect.void
      )
    )
})

/**
 * Deletes and returns the invitation of a token that is valid at `now`; undefined if there is none. A concurrent
 * withdrawal waits and then fails with `NotFound`.
 */
export const takeInvitation = (sql: SqlClient, hash: string, now: string) =>
  Effect.map(
    sql<InvitationRow>`DELETE FROM postcode.invitations WHERE hash = ${hash} AND ${isValid(sql, now)}
      RETURNING ${invitationColumns(sql)}`,
    ([row]) => row && toInvitation(row)
  )

/** Counts the open invitations after the organization's lock, so that concurrent transactions cannot exceed the maximum. */
const requirePlace = Effect.fnUntraced(function* (sql: SqlClient, organization_id: string, now: string) {
  const locked = yield* sql`SELECT FROM postcode.organizations WHERE id = ${organization_id} FOR NO KEY UPDATE`
  if (locked.length === 0) return yield* notFound("organization")
  const open = yield* sql`SELECT FROM postcode.invitations
    WHERE organization_id = ${organization_id} AND expires_at > ${now} LIMIT ${maxOpenInvitations}`
  if (open.length >= maxOpenInvitations) return yield* tooManyInvitations
})

/** Whether an invitation is valid at a time. */
const isValid = (sql: SqlClient, now: string) =>
  sql`expires_at > ${now}
    AND NOT (is_claim AND EXISTS (SELECT FROM postcode.accounts WHERE is_operator))`

interface InvitationRow {
  readonly number: bigint
  readonly id: string
  readonly role: Role
  readonly email: string | null
  readonly organization_id: string | null
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly is_claim: boolean
}

/** By name: a prepared `*` fails once a later version of the schema has added a column. */
const invitationColumns = (sql: SqlClient) =>
  sql.literal("number, id, role, email, organization_id, created_by, created_at, expires_at, is_claim")

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: row.role,
  ...(row.email !== null && { email: row.email }),
  ...(row.organization_id !== null && { organization_id: row.organization_id }),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  is_claim: row.is_claim
})
