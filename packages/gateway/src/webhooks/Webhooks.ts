/** Port: webhook endpoints of organizations and their deliveries. Secrets are stored encrypted. */

import type { DirectoryVersion } from "@postcode/core/Directory"
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { DirectoryEvent, EventContent, WebhookDelivery, WebhookEndpoint, WebhookEvent } from "./Webhook.ts"

/** The version of the directory that was announced last. */
export interface AnnouncedVersion extends DirectoryVersion {
  /** ISO 8601, UTC. */
  readonly at: string
}

/** The next version to announce. */
export interface Announcement {
  readonly version: AnnouncedVersion
  /** Undefined if nobody needs to know. */
  readonly event: DirectoryEvent | undefined
}

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** `Conflict` if the organization has `maxWebhooks`, also with concurrent requests. */
    readonly create: (
      endpoint: WebhookEndpoint,
      sealed_secret: string
    ) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /**
     * Stores a listener, or resumes the one with its id: replaces the secret, ends the lease, and keeps the deliveries.
     * Listeners of the organization that were last heard before `silent_since` are removed first. `Conflict` if the
     * organization then has `maxListeners` others, also with concurrent requests. Returns whether it is new.
     */
    readonly listen: (
      listener: WebhookEndpoint & { readonly listened_at: string },
      sealed_secret: string,
      silent_since: string
    ) => Effect.Effect<boolean, Conflict | NotFound | Unavailable>
    /** All endpoints and listeners of an organization, newest first. */
    readonly list: (organization_id: string) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, NotFound | Unavailable>
    readonly get: (id: string) => Effect.Effect<WebhookEndpoint, NotFound | Unavailable>
    /** Removes an endpoint and its deliveries. */
    readonly remove: (id: string) => Effect.Effect<void, NotFound | Unavailable>
    /** Replaces the secret. The previous secret also signs until the given time; older ones do not. */
    readonly rotate: (
      id: string,
      sealed_secret: string,
      former_secret_until: string
    ) => Effect.Effect<WebhookEndpoint, NotFound | Unavailable>
    /** Enqueues an event for one endpoint, due immediately. `Conflict` if `maxPending` deliveries are pending. */
    readonly enqueue: (
      endpoint_id: string,
      event: WebhookEvent
    ) => Effect.Effect<WebhookDelivery, Conflict | NotFound | Unavailable>
    /**
     * Enqueues an event for each enabled endpoint of the organization that its data names, except those with
     * `maxPending` pending deliveries. All get the same event, with an id and a time of the store.
     */
    readonly announce: (content: EventContent) => Effect.Effect<void, Unavailable>
    /**
     * Enqueues an event about the directory for the endpoints of all organizations, as `announce` does for one, and
     * stores its version as the last one, in one transaction. Concurrent calls are made one after the other.
     *
     * @param decide the next announcement, if any, after the last one; undefined before the first
     */
    readonly announceDirectory: (
      decide: (last: AnnouncedVersion | undefined) => Effect.Effect<Announcement | undefined, Unavailable>
    ) => Effect.Effect<Announcement | undefined, Unavailable>
    readonly delivery: (id: string) => Effect.Effect<WebhookDelivery, NotFound | Unavailable>
    /** The deliveries of an endpoint, newest first. */
    readonly deliveries: (
      endpoint_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<WebhookDelivery>, InvalidParameter | Unavailable>
    /** Makes a delivery due immediately, also a failed one. `Conflict` if it was delivered. */
    readonly retry: (id: string) => Effect.Effect<WebhookDelivery, Conflict | NotFound | Unavailable>
  }
>()("@postcode/gateway/Webhooks") {}
