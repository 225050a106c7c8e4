/** Port: several writes as one. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"

export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Runs work as one transaction, such as a change and its audit entry. On success, everything that the store's ports
     * wrote in it is stored. On a store whose writes can fail individually, a failure or interruption rolls everything
     * back.
     *
     * The result of the work is returned. `Unavailable` may also mean that the outcome of the commit is unknown. Only
     * writes that a port waits for are included. A nested transaction joins the outer one. Do not wait for anything but
     * the store in it: it holds locks.
     */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R>
  }
>()("@postcode/gateway/Transactions") {}
