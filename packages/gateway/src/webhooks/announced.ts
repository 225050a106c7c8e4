/** Sends the events of a use case to the webhooks of its organization. */
import { Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import { Transactions } from "../store/Transactions.ts"
import type { EventContent } from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"

/**
 * Runs a change and enqueues its events in one transaction: no change is stored without its events, and no event without
 * its change.
 *
 * @param eventsOf the events for the result of the change
 */
export type Announced = <A, E, R>(
  change: Effect.Effect<A, E, R>,
  eventsOf: (answer: A) => ReadonlyArray<EventContent>
) => Effect.Effect<A, E | Unavailable, R>

/** Nested around `audited`, the events come after the audit entry, in the same transaction. */
export const announced: Effect.Effect<Announced, never, Transactions | Webhooks> = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const { atomically } = yield* Transactions

  return (change, eventsOf) =>
    atomically(Effect.tap(change, (answer) => Effect.forEach(eventsOf(answer), webhooks.announce, { discard: true })))
})
