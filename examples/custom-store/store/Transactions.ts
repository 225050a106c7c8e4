/** Several writes as one, in SQLite. */
import { Transactions } from "@postcode/gateway/store/Transactions"
import { Cause, type Context, Effect, Exit, Layer } from "effect"
import { Database } from "./Database.ts"

/**
 * Work asks nothing but the store, and the store answers at once. So it is run to its end here and now, as one step, and
 * whatever else the process does comes before or behind it. Work that waits for something is ended, and undone.
 */
export const layerTransactions: Layer.Layer<Transactions, never, Database> = Layer.effect(
  Transactions,
  Effect.map(Database, (db) =>
    Transactions.of({
      atomically: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.contextWith((context: Context.Context<R>) =>
          db.step(() => {
            const exit = Effect.runSyncExitWith(context)(work)
            if (Exit.isFailure(exit)) endWaiting(Cause.squash(exit.cause))
            return exit
          })
        )
    })
  )
)

const endWaiting = (error: unknown): void => {
  if (Cause.isAsyncFiberError(error)) error.fiber.interruptUnsafe()
}
