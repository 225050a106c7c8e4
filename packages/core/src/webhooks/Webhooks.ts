/** Port: where organizations want to be told of events, and what was sent there. Of a secret it has what is sealed. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { WebhookDelivery, WebhookEndpoint, WebhookEvent } from "./Webhook.ts"

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** `Conflict` if the organization has `maximumWebhooks`, also where several are made at the same time. */
    readonly create: (
      endpoint: WebhookEndpoint,
      sealed_secret: string
    ) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /** All of an organization, newest first. */
    readonly list: (organization_id: string) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, Unavailable>
    readonly get: (id: string) => Effect.Effect<WebhookEndpoint, NotFound | Unavailable>
    /** Removes an endpoint with its deliveries. */
    readonly remove: (id: string) => Effect.Effect<void, NotFound | Unavailable>
    /** Another secret from now on. The one before signs as well until then; one before that no more. */
    readonly rotate: (
      id: string,
      sealed_secret: string,
      former_secret_until: string
    ) => Effect.Effect<WebhookEndpoint, NotFound | Unavailable>
    /** Puts an event for one endpoint into the queue, due at once. `Conflict` if `maximumPending` wait there already. */
    readonly enqueue: (
      endpoint_id: string,
      event: WebhookEvent
    ) => Effect.Effect<WebhookDelivery, Conflict | NotFound | Unavailable>
    readonly delivery: (id: string) => Effect.Effect<WebhookDelivery, NotFound | Unavailable>
    /** Those of an endpoint, newest first. */
    readonly deliveries: (
      endpoint_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<WebhookDelivery>, InvalidParameter | Unavailable>
    /** Makes a delivery due at once, also one that failed. `Conflict` if it was delivered. */
    readonly retry: (id: string) => Effect.Effect<WebhookDelivery, Conflict | NotFound | Unavailable>
  }
>()("@postcode/core/Webhooks") {}
