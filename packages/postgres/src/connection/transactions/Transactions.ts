/** Transactions on PostgreSQL. All queries of ports within the work use the transaction's connection. */
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../Database.ts"

/** The port `Transactions`. If a commit is in doubt, it fails with `Unavailable`. */
export const layerTransactions: Layer.Layer<Transactions, never, SqlClient> = Layer.effect(
  Transactions,
  Effect.map(SqlClient, (sql) =>
    Transactions.of({
      atomically: (work) => asking(inTransaction(sql, work))
    })
  )
)
