/** Port: several writes as one. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"

export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Runs work whose writes belong together, as a change and the entry of the audit log that names it. Once it has
     * succeeded, all that the store's ports wrote within it is there. On a store whose writes can fail one by one, all of
     * it is undone if the work fails, or is ended: none is kept without the others.
     *
     * What the work answers or fails with is answered. `Unavailable` may also mean that it is not known whether all of it
     * was kept or none. Only writes that a port waits for are held together. Work within work belongs to the outer one.
     * It should ask nothing but the store: others wait for what it holds.
     */
    readonly atomically: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R>
  }
>()("@postcode/core/Transactions") {}
