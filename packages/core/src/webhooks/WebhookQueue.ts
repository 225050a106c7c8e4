/**
 * Port: the deliveries that are due, for whoever sends them. Any number of processes share one queue.
 *
 * A delivery is leased before it is sent and settled afterwards. A process that is gone settles nothing, and once its
 * lease is over another one sends the same again: at least once, with the same ids.
 */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import type { SealedSecrets, Settlement, WebhookDelivery, WebhookEndpoint } from "./Webhook.ts"

/** A delivery that is to be made now, by whoever has leased its endpoint. */
export interface LeasedDelivery {
  /** Tells this lease of its endpoint from all others. */
  readonly lease: number
  readonly endpoint: WebhookEndpoint
  readonly secrets: SealedSecrets
  /** With the attempt that now begins counted. */
  readonly delivery: WebhookDelivery
}

export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /**
     * Up to so many deliveries that are due, of each endpoint the one that is due the longest, and none of an endpoint
     * that is leased. Endpoints take turns: those come first whose last attempt ended the longest ago. So an endpoint gets
     * one at a time, and many that are slow and have much to get do not keep another waiting.
     */
    readonly lease: (limit: number, duration_ms: number) => Effect.Effect<ReadonlyArray<LeasedDelivery>, Unavailable>
    /** Ends a lease. Changes nothing if it was over, and another one has begun since, or the endpoint is gone. */
    readonly settle: (leased: LeasedDelivery, settlement: Settlement) => Effect.Effect<void, Unavailable>
  }
>()("@postcode/core/WebhookQueue") {}
