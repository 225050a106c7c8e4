/**
 * Port: due deliveries for senders. Any number of processes share one queue.
 *
 * A delivery is leased, sent and settled. If a process crashes, the lease expires and another process sends the
 * delivery again with the same ids: at least once.
 */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import type { SealedSecrets, Settlement, WebhookDelivery, WebhookEndpoint } from "./Webhook.ts"

/** A delivery whose endpoint is leased to this sender. */
export interface LeasedDelivery {
  /** Identifies the lease of the endpoint. */
  readonly lease: number
  readonly endpoint: WebhookEndpoint
  readonly secrets: SealedSecrets
  /** Its `attempts` include the attempt that starts now. */
  readonly delivery: WebhookDelivery
}

/** What settles a delivery. */
export type Lease = Pick<LeasedDelivery, "endpoint" | "lease"> & {
  readonly delivery: Pick<WebhookDelivery, "id">
}

export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /** Whether there may be an endpoint, as far as this process knows. Without one, nothing is due. */
    readonly hasEndpoints: () => boolean
    /**
     * Leases at most `limit` due deliveries: the oldest due one of each endpoint that is not leased. Endpoints are
     * served round robin, the one with the oldest last attempt first, so that slow endpoints with many deliveries do
     * not delay others. Listeners are left out.
     */
    readonly lease: (limit: number, duration_ms: number) => Effect.Effect<ReadonlyArray<LeasedDelivery>, Unavailable>
    /** Leases the oldest due delivery of a listener, unless it is leased; and notes that the listener was heard. */
    readonly leaseOfListener: (
      listener_id: string,
      duration_ms: number
    ) => Effect.Effect<LeasedDelivery | undefined, Unavailable>
    /**
     * Ends a lease. Does nothing if it has expired and was replaced, or if the endpoint was removed. If it disables the
     * endpoint, the notice `webhook_disabled` is stored with it.
     */
    readonly settle: (leased: Lease, settlement: Settlement) => Effect.Effect<void, Unavailable>
  }
>()("@postcode/gateway/WebhookQueue") {}
