import type { Manager } from "@postcode/gateway/ManagementAccess"
import { listenToWebhooks, type Received } from "@postcode/gateway/webhooks/listenToWebhooks"
import { manageWebhooks, type WebhookWithSecret } from "@postcode/gateway/webhooks/manageWebhooks"
import { triggerEvent } from "@postcode/gateway/webhooks/triggerEvent"
import { type WebhookDelivery, type WebhookEndpoint, webhookHost } from "@postcode/gateway/webhooks/Webhook"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { pageRequest } from "./page.ts"

type WebhookHandlers = Pick<
  GroupHandlers<"management">,
  | "createWebhook"
  | "listDeliveries"
  | "listWebhooks"
  | "receiveDelivery"
  | "removeWebhook"
  | "retryDelivery"
  | "rotateWebhookSecret"
  | "startListener"
  | "testWebhook"
  | "triggerEvent"
>

export const webhookHandlers = Effect.gen(function* () {
  const manage = yield* manageWebhooks
  const listen = yield* listenToWebhooks
  const trigger = yield* triggerEvent

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
    retryDelivery: ({ manager, params }) => Effect.map(manage.retry(params.id, manager as Manager), asDelivery),
    startListener: ({ manager, params, payload: { secret, ...request } }) =>
      Effect.map(
        listen.start(params.id, { ...request, secret: Redacted.make(secret) }, manager as Manager),
        (listener) => ({ data: { ...shownWebhook(listener), host: webhookHost(listener) } })
      ),
    receiveDelivery: ({ manager, params, payload: { result } }) =>
      Effect.map(listen.receive(params.id, result, manager as Manager), ({ next, settled }) => ({
        data: {
          next: next === undefined ? null : shownNext(next),
          settled: settled === undefined ? null : shownDelivery(settled)
        }
      })),
    triggerEvent: ({ manager, params, payload }) =>
      Effect.map(trigger(params.id, payload, manager as Manager), (triggered) => ({
        data: {
          event: payload.event,
          event_id: triggered[0]?.delivery.event.id ?? "",
          deliveries: triggered.map(({ delivery, endpoint }) => ({
            id: delivery.id,
            webhook_id: endpoint.id,
            host: webhookHost(endpoint),
            listens: endpoint.listened_at !== undefined
          }))
        }
      }))
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

const shownNext = ({ body, delivery, headers, lease }: NonNullable<Received["next"]>) => ({
  delivery: shownDelivery(delivery),
  lease,
  headers,
  body
})

const asDelivery = (delivery: WebhookDelivery) => ({ data: shownDelivery(delivery) })
