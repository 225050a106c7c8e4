/** Locks the account that creates an invitation or a management key. */
import { invalidConsoleSession, type Maker } from "@postcode/gateway/accounts/Account"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * The account's removal or a change of its role waits, and then also ends what was created. Fails if the account no longer
 * has the role.
 */
export const lockMaker = Effect.fnUntraced(function* (sql: SqlClient, { id, organization_id, role }: Maker) {
  const held =
    role === "operator"
      ? yield* sql`SELECT FROM postcode.accounts WHERE id = ${id} AND is_operator FOR SHARE`
      : yield* sql`SELECT FROM postcode.memberships
          WHERE account_id = ${id} AND organization_id = ${organization_id ?? ""} AND role = ${role} FOR SHARE`
  if (held.length === 0) return yield* invalidConsoleSession
})
