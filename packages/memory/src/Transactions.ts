/**
 * Transactions in memory: the work itself. No rollback is needed, because a port either fails before it changes
 * anything, or changes everything in one step, and writes cannot be lost while the process lives.
 */
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Layer } from "effect"

export const layerTransactions: Layer.Layer<Transactions> = Layer.succeed(Transactions, {
  atomically: (work) => work
})
