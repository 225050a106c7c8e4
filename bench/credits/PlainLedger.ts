/** The peer: a naive ledger with one statement per request, which is its own transaction. */

import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { InsufficientCredits } from "@postcode/gateway/Errors"
import { randomAlphanumeric } from "@postcode/node/secrets"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** It checks less than ours: neither the key nor the level nor earlier charges. */
export const layerPlainLedger = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ledger = yield* CreditLedger
    return {
      ...ledger,
      charge: ({ amount, environment, organization_id, reason, request_id }) =>
        Effect.gen(function* () {
          const [entry] = yield* sql<{ readonly balance_after: bigint }>`
            WITH account AS (
              UPDATE postcode.credit_accounts SET balance = balance - ${amount}, entries = entries + 1
              WHERE organization_id = ${organization_id} AND environment = ${environment} AND balance >= ${amount}
              RETURNING organization_id, environment, balance, entries
            )
            INSERT INTO postcode.ledger_entries
              (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
            SELECT organization_id, environment, entries, ${randomAlphanumeric(20)}::text, ${-amount}::bigint, ${reason}::text,
              ${request_id}::text, balance, clock_timestamp()
            FROM account RETURNING balance_after`
          if (entry === undefined) return yield* new InsufficientCredits({ required: amount, balance: 0 })
          return { charged: amount, balance: Number(entry.balance_after) }
        }).pipe(Effect.catchTag("SqlError", (error) => Effect.die(error)))
    }
  })
)
