/**
 * Transactions in memory: the work, as it is. Nothing has to be undone, because no write here can fail behind another: a
 * port either refuses before it changes anything, or changes all in one step, and what it wrote it cannot lose while the
 * process lives. When the process ends, everything is gone at once.
 */
import { Transactions } from "@postcode/core/store/Transactions"
import { Layer } from "effect"

export const layerTransactions: Layer.Layer<Transactions> = Layer.succeed(Transactions, {
  atomically: (work) => work
})
