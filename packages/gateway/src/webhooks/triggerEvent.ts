/** Example events: a user sends one of any type to the own webhooks, marked as a test. */
import { formatVersion } from "@postcode/core/Directory"
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../audit/audit.ts"
import { Conflict, type InsufficientScope, type NotFound, notFound, type Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import {
  tooManyPending,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEventData,
  type WebhookEventType
} from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"

/** Which event, and where to. */
export interface TriggerRequest {
  readonly event: WebhookEventType
  /** One webhook or listener of the organization. */
  readonly webhook_id?: string
  /** Whether to reach all webhooks and listeners. Default: only listeners, since webhooks may be of production. */
  readonly all?: boolean
}

/** A delivery that was enqueued, and its webhook. */
export interface TriggeredDelivery {
  readonly delivery: WebhookDelivery
  readonly endpoint: WebhookEndpoint
}

/**
 * Sends an example of an event to the listeners of an organization, or to its webhooks, too. Nothing else happens: no notice is
 * sent, and nothing that the event tells of changes.
 */
export const triggerEvent: Effect.Effect<
  (
    organization_id: string,
    request: TriggerRequest,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<TriggeredDelivery>, Conflict | InsufficientScope | NotFound | Unavailable>,
  never,
  AuditLog | Secrets | Transactions | Webhooks
> = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const identify = yield* newId
  const withAudit = yield* audited

  return Effect.fnUntraced(function* (organization_id, { all = false, event: type, webhook_id }, manager) {
    yield* permitOn(manager, "triggerEvent", organization_id)
    const known = yield* webhooks.list(organization_id)
    if (webhook_id !== undefined && !known.some(({ id }) => id === webhook_id))
      return yield* Effect.fail(notFound("webhook"))
    const isMeant = ({ id, listened_at }: WebhookEndpoint) =>
      webhook_id === undefined ? all || listened_at !== undefined : id === webhook_id
    const endpoints = known.filter((endpoint) => endpoint.disabled_at === undefined && isMeant(endpoint))
    if (endpoints.length === 0) return yield* all || webhook_id !== undefined ? noActiveWebhook : nobodyListens
    const at = yield* timestamp
    const data = { ...exampleData(organization_id, at)[type], test: true }
    const event = { id: identify("msg"), type, at, data }
    const enqueue = (endpoint: WebhookEndpoint) =>
      webhooks.enqueue(endpoint.id, event).pipe(
        Effect.map((delivery) => [{ delivery, endpoint }]),
        Effect.catchTag(["Conflict", "NotFound"], () => Effect.succeed([]))
      )
    const enqueued = Effect.flatMap(Effect.forEach(endpoints, enqueue), (made) =>
      made.flat().length === 0 ? Effect.fail(tooManyPending) : Effect.succeed(made.flat())
    )
    return yield* withAudit(enqueued, (made) =>
      entryOf(
        manager.actor,
        "webhook.triggered",
        { id: event.id, organization_id },
        { event: type, webhooks: made.length }
      )
    )
  })
})

const nobodyListens = new Conflict({
  message:
    "no program listens: run postcode webhooks listen on your machine. Webhooks get the example only if you name one with webhook_id, or set all"
})

const noActiveWebhook = new Conflict({
  message: "no active webhook gets this event: add one, or run postcode webhooks listen on your machine"
})

const day_ms = 24 * 60 * 60 * 1000

/** The data of an example of each type. Ids of keys and requests name none that exist. */
export const exampleData = (
  organization_id: string,
  at: string
): { readonly [Type in WebhookEventType]: WebhookEventData[Type] } => {
  const ofOrganization = { organization_id }
  const ofKey = { organization_id, environment: "live", key_id: "key_EXAMPLE0000000000000" } as const
  const version = (changes: number) => formatVersion({ edition: at.slice(0, 7), changes })
  return {
    "credits.low": { organization_id, environment: "live", balance: 480, threshold: 500 },
    "credits.used_up": { organization_id, environment: "live", balance: 0 },
    "organization.verification_decided": { organization_id, kyb_status: "verified" },
    "organization.level_changed": { organization_id, granted_level: 4 },
    "organization.suspended": ofOrganization,
    "organization.resumed": ofOrganization,
    "organization.closed": ofOrganization,
    "access_request.decided": {
      organization_id,
      access_request_id: "acr_EXAMPLE0000000000000",
      level: 4,
      status: "approved"
    },
    "key.expiring": { ...ofKey, expires_at: new Date(Date.parse(at) + 7 * day_ms).toISOString() },
    "key.revoked": ofKey,
    "key.daily_limit_reached": { ...ofKey, daily_credit_limit: 1_000, credits_today: 1_000 },
    "directory.changed": { organization_id, version: version(17), changes: 3 },
    "directory.edition": { organization_id, version: version(0) },
    "webhook.test": ofOrganization
  }
}
