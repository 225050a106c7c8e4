import type { Manager } from "@postcode/gateway/ManagementAccess"
import { manageWebhooks, type WebhookWithSecret } from "@postcode/gateway/webhooks/manageWebhooks"
import { type WebhookDelivery, type WebhookEndpoint, webhookHost } from "@postcode/gateway/webhooks/Webhook"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { pageRequest } from "./page.ts"

type WebhookHandlers = Pick<
  GroupHandlers<"management">,
  | "createWebhook"
  | "listDeliveries"
  | "listWebhooks"
  | "removeWebhook"
  | "retryDelivery"
  | "rotateWebhookSecret"
  | "testWebhook"
>

export const webhookHandlers = Effect.gen(function* () {
  const manage = yield* manageWebhooks

  const handlers: WebhookHandlers = {
    createWebhook: ({ manager, params, payload }) =>
      Effect.map(manage.create(params.id, payload, manager as Manager), withSecret),
    listWebhooks: ({ manager, params }) =>
      Effect.map(manage.list(params.id, manager as Manager), (endpoints) => ({
        data: { webhooks: endpoints.map(shownWebhook) }
      })),
    removeWebhook: ({ manager, params: { id } }) => Effect.as(manage.remove(id, manager as Manager), { data: { id } }),
    rotateWebhookSecret: ({ manager, params }) => Effect.map(manage.rotate(params.id, manager as Manager), withSecret),
    testWebhook: ({ manager, params }) => Effect.map(manage.test(params.id, manager as Manager), asDelivery),
    listDeliveries: ({ manager, params, query }) =>
      Effect.map(manage.deliveries(params.id, pageRequest(query), manager as Manager), ({ items, next_cursor }) => ({
        data: { deliveries: items.map(shownDelivery), next_cursor }
      })),
    retryDelivery: ({ manager, params }) => Effect.map(manage.retry(params.id, manager as Manager), asDelivery)
  }
  return handlers
})

const shownWebhook = <A extends Pick<WebhookEndpoint, "disabled_at">>(endpoint: A) => ({
  ...endpoint,
  status: endpoint.disabled_at === undefined ? ("active" as const) : ("disabled" as const)
})

const withSecret = ({ endpoint, secret }: WebhookWithSecret) => ({
  data: { ...shownWebhook(endpoint), host: webhookHost(endpoint), secret: Redacted.value(secret) }
})

/** Without the endpoint's id, which the caller sent, and the data of the event, which the endpoint received. */
const shownDelivery = ({ endpoint_id, event, ...delivery }: WebhookDelivery) => ({
  ...delivery,
  event_id: event.id,
  event: event.type,
  created_at: event.at
})

const asDelivery = (delivery: WebhookDelivery) => ({ data: shownDelivery(delivery) })
