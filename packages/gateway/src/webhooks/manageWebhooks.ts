/** Webhooks of an organization: create, list and remove endpoints, rotate secrets, list deliveries. */
import { Clock, Effect, type Redacted } from "effect"
import type { AuditAction, AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../audit/audit.ts"
import {
  Conflict,
  type InsufficientScope,
  InvalidParameter,
  type NotFound,
  notFound,
  type Unavailable
} from "../Errors.ts"
import { isPermitted, type ManagementCall, type Manager, permitFound, permitOn } from "../ManagementAccess.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import {
  destinationFault,
  formerSecret_ms,
  type WebhookDelivery,
  type WebhookEndpoint,
  WebhooksMayBePrivate,
  webhookHost
} from "./Webhook.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"
import { Webhooks } from "./Webhooks.ts"

/** A new endpoint. */
export interface WebhookRequest {
  /** Normalized by `URL`, http or https. */
  readonly url: string
  readonly description?: string
}

/** An endpoint with its new secret. The secret is never returned again. */
export interface WebhookWithSecret {
  readonly endpoint: WebhookEndpoint
  readonly secret: Redacted.Redacted<string>
}

/** An endpoint in a list. The path of the URL may contain a secret of the customer. */
export type ListedWebhook = Omit<WebhookEndpoint, "url"> &
  Partial<Pick<WebhookEndpoint, "url">> & { readonly host: string }

type Refused = InsufficientScope | NotFound | Unavailable

/** For a member, endpoints of other organizations fail with `NotFound`. */
export interface ManageWebhooks {
  readonly create: (
    organization_id: string,
    request: WebhookRequest,
    manager: Manager
  ) => Effect.Effect<WebhookWithSecret, Conflict | InvalidParameter | Refused>
  /** Newest first. Roles that may not add webhooks get hosts only. */
  readonly list: (organization_id: string, manager: Manager) => Effect.Effect<ReadonlyArray<ListedWebhook>, Refused>
  readonly remove: (id: string, manager: Manager) => Effect.Effect<void, Refused>
  /** The previous secret also signs for a day. */
  readonly rotate: (id: string, manager: Manager) => Effect.Effect<WebhookWithSecret, Refused>
  readonly test: (id: string, manager: Manager) => Effect.Effect<WebhookDelivery, Conflict | Refused>
  /** Newest first. */
  readonly deliveries: (
    id: string,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<WebhookDelivery>, InvalidParameter | Refused>
  readonly retry: (delivery_id: string, manager: Manager) => Effect.Effect<WebhookDelivery, Conflict | Refused>
}

type Ports = AuditLog | Secrets | Transactions | WebhookSecrets | Webhooks

/** Every change is stored in one transaction with its audit entry. */
export const manageWebhooks: Effect.Effect<ManageWebhooks, never, Ports> = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const secrets = yield* WebhookSecrets
  const mayBePrivate = yield* WebhooksMayBePrivate
  const identify = yield* newId
  const withAudit = yield* audited

  /** The endpoint with an id, if the manager may make the call on it. */
  const permitted = (id: string, call: ManagementCall, manager: Manager) =>
    permitFound(manager, call, webhooks.get(id), "webhook")

  return {
    create: Effect.fnUntraced(function* (organization_id, request, manager) {
      yield* permitOn(manager, "createWebhook", organization_id)
      const fault = destinationFault(request.url, mayBePrivate)
      if (fault !== undefined) return yield* new InvalidParameter({ parameter: "url", message: fault })
      const id = identify("whk")
      const endpoint: WebhookEndpoint = { id, organization_id, ...request, created_at: yield* timestamp }
      const { sealed, secret } = secrets.make(id)
      yield* withAudit(webhooks.create(endpoint, sealed), () => webhookEntry(endpoint, "webhook.created", manager))
      return { endpoint, secret }
    }),

    list: Effect.fnUntraced(function* (organization_id, manager) {
      yield* permitOn(manager, "listWebhooks", organization_id)
      const endpoints = yield* webhooks.list(organization_id)
      return endpoints.map(isPermitted(manager, "createWebhook") ? withHost : withHostAlone)
    }),

    remove: Effect.fnUntraced(function* (id, manager) {
      const endpoint = yield* permitted(id, "removeWebhook", manager)
      yield* withAudit(webhooks.remove(id), () => webhookEntry(endpoint, "webhook.removed", manager))
    }),

    rotate: Effect.fnUntraced(function* (id, manager) {
      yield* permitted(id, "rotateWebhookSecret", manager)
      const { sealed, secret } = secrets.make(id)
      const until = new Date((yield* Clock.currentTimeMillis) + formerSecret_ms).toISOString()
      const endpoint = yield* withAudit(webhooks.rotate(id, sealed, until), (endpoint) =>
        webhookEntry(endpoint, "webhook.secret_rotated", manager)
      )
      return { endpoint, secret }
    }),

    test: Effect.fnUntraced(function* (id, manager) {
      const endpoint = yield* permitted(id, "testWebhook", manager)
      if (endpoint.disabled_at !== undefined) return yield* isDisabled
      const data = { organization_id: endpoint.organization_id }
      const event = { id: identify("msg"), type: "webhook.test", at: yield* timestamp, data } as const
      return yield* withAudit(webhooks.enqueue(id, event), () => webhookEntry(endpoint, "webhook.tested", manager))
    }),

    deliveries: Effect.fnUntraced(function* (id, page, manager) {
      yield* permitted(id, "listDeliveries", manager)
      return yield* webhooks.deliveries(id, page)
    }),

    retry: Effect.fnUntraced(function* (delivery_id, manager) {
      const find = webhooks.delivery(delivery_id).pipe(
        Effect.flatMap(({ endpoint_id }) => webhooks.get(endpoint_id)),
        Effect.catchTag("NotFound", () => Effect.fail(notFound("delivery")))
      )
      const endpoint = yield* permitFound(manager, "retryDelivery", find, "delivery")
      if (endpoint.disabled_at !== undefined) return yield* isDisabled
      return yield* withAudit(webhooks.retry(delivery_id), () =>
        entryOf(manager.actor, "webhook.retried", endpoint, { delivery_id })
      )
    })
  }
})

const isDisabled = new Conflict({
  message: "the endpoint returned 410 and is disabled: remove the webhook and create a new one"
})

const withHost = (endpoint: WebhookEndpoint): ListedWebhook => ({ ...endpoint, host: webhookHost(endpoint) })

const withHostAlone = ({ url, ...endpoint }: WebhookEndpoint): ListedWebhook => ({
  ...endpoint,
  host: webhookHost({ url })
})

/** Only the host of the URL, because the rest may contain a secret of the customer. */
const webhookEntry = (endpoint: WebhookEndpoint, action: AuditAction, { actor }: Manager) =>
  entryOf(actor, action, endpoint, { host: webhookHost(endpoint) })
