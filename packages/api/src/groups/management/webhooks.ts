/** Webhooks in the management API: an organization's endpoints and their deliveries. */
import { webhookLimits } from "@postcode/gateway/InputLimits"
import { deliveryStatuses, webhookEventTypes } from "@postcode/gateway/webhooks/Webhook"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { created, Data, NextCursor, Timestamp } from "../../answers.ts"
import { byId, byIdOrConflict, byIdWithBodyOrConflict } from "../../oneResource.ts"
import { pageQuery, Text } from "../../parameters.ts"
import { WebAddress } from "../../webAddress.ts"

const webhookFields = {
  id: Schema.String,
  organization_id: Schema.String,
  host: Schema.String.annotate({ description: "The host of the address, with its port." }),
  description: Schema.optionalKey(Schema.String),
  status: Schema.Literals(["active", "disabled"]).annotate({
    description: "`disabled` after a 410 response. Nothing more is sent to the endpoint."
  }),
  created_at: Timestamp,
  former_secret_until: Schema.optionalKey(
    Schema.String.annotate({ description: "Until when the previous secret also signs." })
  ),
  disabled_at: Schema.optionalKey(Timestamp),
  listened_at: Schema.optionalKey(
    Schema.String.annotate({
      description: "Only for a listener: when its program last asked for deliveries, to the minute."
    })
  )
}
const Webhook = Schema.Struct({
  ...webhookFields,
  url: Schema.optionalKey(
    Schema.String.annotate({
      description: "The address, for roles that can add webhooks. The role `billing` sees only the host."
    })
  )
}).annotate({ identifier: "Webhook", description: "An endpoint that gets events." })
const WebhookWithSecret = Schema.Struct({ ...webhookFields, url: Schema.String, secret: Schema.String }).annotate({
  identifier: "WebhookWithSecret",
  description: "Only this response contains the secret."
})

const WebhookDelivery = Schema.Struct({
  id: Schema.String,
  event_id: Schema.String.annotate({ description: "The `webhook-id` of each attempt." }),
  event: Schema.Literals(webhookEventTypes),
  status: Schema.Literals(deliveryStatuses),
  attempts: Schema.Int,
  last_status: Schema.optionalKey(Schema.Int.annotate({ description: "The status of the last attempt." })),
  fault: Schema.optionalKey(Schema.String.annotate({ description: "Why the last attempt got no response." })),
  created_at: Timestamp,
  last_attempt_at: Schema.optionalKey(Timestamp),
  next_attempt_at: Schema.optionalKey(Timestamp)
}).annotate({
  identifier: "WebhookDelivery",
  description: "The delivery of an event to an endpoint, with its attempts."
})

/** Not echoed in errors. */
const ListenerSecret = Schema.String.check(
  Schema.isPattern(/^whsec_[A-Za-z0-9+/]{43}=$/, { message: "expected whsec_ and the base64 of 32 bytes" })
).annotate({ description: "`whsec_` and the base64 of 32 random bytes that the program keeps.", format: "password" })

/** An id of a kind, in a body. */
const idOf = (prefix: string) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^${prefix}_\\w{1,64}$`), { message: `expected an id such as ${prefix}_…` })
  )

/** The list of all would be longer than a message. */
const EventType = Schema.Literals(webhookEventTypes).annotate({
  message: "expected a type of event, such as credits.low"
})

const ReceivedDelivery = Schema.Struct({
  delivery_id: idOf("dlv"),
  lease: Schema.Int,
  status: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 999 }, { message: "expected an HTTP status" })).annotate(
      {
        description: "The status of the response."
      }
    )
  ),
  fault: Schema.optionalKey(Text(webhookLimits.fault).annotate({ description: "Why there was no response." }))
})

const LeasedDelivery = Schema.Struct({
  delivery: WebhookDelivery,
  lease: Schema.Int.annotate({ description: "Sent back with the result." }),
  headers: Schema.Record(Schema.String, Schema.String).annotate({ description: "The headers to post, signed now." }),
  body: Schema.String.annotate({ description: "The body to post, byte for byte." })
})

const TriggeredDelivery = Schema.Struct({
  id: Schema.String,
  webhook_id: Schema.String,
  host: Schema.String.annotate({ description: "The host of the webhook's address." }),
  listens: Schema.Boolean.annotate({ description: "Whether the webhook is a listener." })
})

/** The webhook endpoints of `Management`. */
export const webhookEndpoints = [
  HttpApiEndpoint.post("createWebhook", "/v1/admin/organizations/:id/webhooks", {
    ...byIdWithBodyOrConflict,
    payload: Schema.Struct({ url: WebAddress, description: Schema.optionalKey(Text(webhookLimits.description)) }),
    success: Data(WebhookWithSecret).pipe(created)
  }).annotate(OpenApi.Summary, "Add a webhook. Only this response contains its secret"),
  HttpApiEndpoint.get("listWebhooks", "/v1/admin/organizations/:id/webhooks", {
    ...byId,
    success: Data(Schema.Struct({ webhooks: Schema.Array(Webhook) }))
  }).annotate(OpenApi.Summary, "List an organization's webhooks, newest first"),
  HttpApiEndpoint.delete("removeWebhook", "/v1/admin/webhooks/:id", {
    ...byId,
    success: Data(Schema.Struct({ id: Schema.String }))
  }).annotate(OpenApi.Summary, "Remove a webhook and its deliveries"),
  HttpApiEndpoint.post("rotateWebhookSecret", "/v1/admin/webhooks/:id/rotate-secret", {
    ...byId,
    success: Data(WebhookWithSecret)
  }).annotate(OpenApi.Summary, "Rotate the secret. The previous secret also signs for 24 hours"),
  HttpApiEndpoint.post("testWebhook", "/v1/admin/webhooks/:id/test", {
    ...byIdOrConflict,
    success: Data(WebhookDelivery).pipe(created)
  }).annotate(OpenApi.Summary, "Send an event `webhook.test`"),
  HttpApiEndpoint.get("listDeliveries", "/v1/admin/webhooks/:id/deliveries", {
    ...byId,
    query: pageQuery,
    success: Data(Schema.Struct({ deliveries: Schema.Array(WebhookDelivery), next_cursor: NextCursor }))
  }).annotate(OpenApi.Summary, "List the deliveries of a webhook, newest first"),
  HttpApiEndpoint.post("retryDelivery", "/v1/admin/webhook-deliveries/:id/retry", {
    ...byIdOrConflict,
    success: Data(WebhookDelivery)
  }).annotate(OpenApi.Summary, "Send a pending or failed delivery again immediately"),
  HttpApiEndpoint.post("startListener", "/v1/admin/organizations/:id/webhook-listeners", {
    ...byIdWithBodyOrConflict,
    payload: Schema.Struct({
      url: WebAddress.annotate({ description: "Where the program posts, on its own machine." }),
      description: Schema.optionalKey(Text(webhookLimits.description)),
      secret: ListenerSecret
    }),
    success: Data(Webhook)
  }).annotate(OpenApi.Summary, "Start or resume a listener, whose program receives the deliveries of an organization"),
  HttpApiEndpoint.post("receiveDelivery", "/v1/admin/webhooks/:id/receive", {
    ...byIdWithBodyOrConflict,
    payload: Schema.Struct({ result: Schema.optionalKey(ReceivedDelivery) }),
    success: Data(Schema.Struct({ next: Schema.NullOr(LeasedDelivery), settled: Schema.NullOr(WebhookDelivery) }))
  }).annotate(OpenApi.Summary, "Receive the next delivery of a listener, and send the result of the one before"),
  HttpApiEndpoint.post("triggerEvent", "/v1/admin/organizations/:id/webhook-events", {
    ...byIdWithBodyOrConflict,
    payload: Schema.Struct({
      event: EventType,
      webhook_id: Schema.optionalKey(
        idOf("whk").annotate({ description: "One webhook or listener. Default: listeners only." })
      ),
      all: Schema.optionalKey(Schema.Boolean.annotate({ description: "Whether to reach all webhooks, too." }))
    }),
    success: Data(
      Schema.Struct({
        event: Schema.Literals(webhookEventTypes),
        event_id: Schema.String,
        deliveries: Schema.Array(TriggeredDelivery)
      })
    ).pipe(created)
  }).annotate(
    OpenApi.Summary,
    "Send an example of an event, with `test` in its data, to listeners, or to webhooks, too"
  )
] as const
