/**
 * The two balances of a new organization, which `openAccounts` stores in the transaction that stores the organization.
 */
import { type Environment, environments } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { addEntries } from "./CreditDays.ts"
import { newEntryId } from "./EntryId.ts"
import { openFrom } from "./months/StoredMonths.ts"

/** Creates both balances. An opening amount above 0 becomes the first ledger entry. */
export const openAccounts = (
  sql: SqlClient,
  organization_id: string,
  opening: Readonly<Record<Environment, number>>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    environments,
    (environment) => {
      const amount = opening[environment]
      return sql`
        WITH account AS (
          INSERT INTO postcode.credit_accounts (organization_id, environment, balance, entries, last_entry_at)
          VALUES (${organization_id}, ${environment}, ${amount}, ${amount > 0 ? 1 : 0},
            greatest(clock_timestamp(), ${openFrom(sql)}))
          RETURNING *
        ), entry AS (
          INSERT INTO postcode.ledger_entries
            (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
          SELECT organization_id, environment, 1, ${newEntryId()}, balance, 'opening', organization_id, balance,
            last_entry_at
          FROM account WHERE balance > 0 RETURNING *
        )
        ${addEntries(sql, "opening")}`
    },
    { discard: true }
  )
