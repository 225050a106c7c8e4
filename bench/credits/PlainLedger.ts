/** The peer: a naive ledger with one transaction per request. */

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
          const [account] = yield* sql<{ readonly balance: bigint; readonly entries: bigint }>`
            UPDATE postcode.credit_accounts SET balance = balance - ${amount}, entries = entries + 1
            WHERE organization_id = ${organization_id} AND environment = ${environment} AND balance >= ${amount}
            RETURNING balance, entries`
          if (account === undefined) return yield* new InsufficientCredits({ required: amount, balance: 0 })
          yield* sql`INSERT INTO postcode.ledger_entries
            (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
            VALUES (${organization_id}, ${environment}, ${account.entries}, ${randomAlphanumeric(20)}, ${-amount},
              ${reason}, ${request_id}, ${account.balance}, clock_timestamp())`
          return { charged: amount, balance: Number(account.balance) }
        }).pipe(
          sql.withTransaction,
          Effect.catchTag("SqlError", (error) => Effect.die(error))
        )
    }
  })
)
