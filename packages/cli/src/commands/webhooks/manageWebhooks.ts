/** `postcode webhooks`. */
import type { DataOf } from "@postcode/client"
import type { WebhookEventType } from "@postcode/gateway/webhooks/Webhook"
import { commandName } from "@postcode/server/process/CommandName"
import { say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { ownOrganization } from "../../management/resolveConnection.ts"
import { printSecret, printTable } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"

/** `postcode webhooks list` */
export const listWebhooks: Work<Id> = (params, options) =>
  Effect.gen(function* () {
    const data = yield* request(options, "GET /v1/admin/organizations/:id/webhooks", { params })
    yield* printTable(options, data, data.webhooks, {
      columns: {
        ID: "id",
        ADDRESS: ({ host, url = host }) => url,
        DESCRIPTION: "description",
        STATUS: ({ listened_at, status }) => (listened_at === undefined ? status : "listens"),
        CREATED: "created_at"
      },
      empty: `no webhooks yet: ${commandName()} webhooks create ${params.id} https://… adds one`
    })
  })

/** `postcode webhooks create` */
export const createWebhook: Work<{
  readonly id: string
  readonly url: string
  readonly description: string | undefined
}> = ({ id, ...body }, options) =>
  Effect.flatMap(request(options, "POST /v1/admin/organizations/:id/webhooks", { params: { id }, body }), (webhook) =>
    printSecret(
      options,
      webhook,
      `webhook ${webhook.id} to ${webhook.url}; its secret is shown this once:`,
      webhook.secret
    )
  )

/** `postcode webhooks rotate-secret` */
export const rotateSecret: Work<Id> = (params, options) =>
  Effect.flatMap(request(options, "POST /v1/admin/webhooks/:id/rotate-secret", { params }), (webhook) => {
    const message = `the secret before signs as well until ${webhook.former_secret_until}; the new one is shown this once:`
    return printSecret(options, webhook, message, webhook.secret)
  })

/** `postcode webhooks test` */
export const testWebhook: Work<Id> = (params, options) =>
  Effect.gen(function* () {
    yield* printResponse(options, "POST /v1/admin/webhooks/:id/test", { params }, deliveryFields)
    if (!options.json) say(`${commandName()} webhooks deliveries ${params.id} shows what comes of it`)
  })

/** `postcode webhooks trigger` */
export const triggerEvent: Work<{
  readonly event: WebhookEventType
  readonly organization: string | undefined
  readonly webhook: string | undefined
  readonly all: boolean
}> = ({ all, event, organization, webhook }, options) =>
  Effect.gen(function* () {
    const id = yield* ownOrganization(options, organization)
    const body = { event, ...(webhook === undefined ? { all } : { webhook_id: webhook }) }
    const data = yield* request(options, "POST /v1/admin/organizations/:id/webhook-events", { params: { id }, body })
    yield* printTable(options, data, data.deliveries, {
      columns: {
        DELIVERY: "id",
        WEBHOOK: "webhook_id",
        HOST: ({ host, listens }) => (listens ? `${host} (listens)` : host)
      },
      empty: "nothing was sent"
    })
  })

/** `postcode webhooks deliveries` */
export const listDeliveries: Work<Paged & Id> = ({ id, page }, options) =>
  printList(options, "GET /v1/admin/webhooks/:id/deliveries", { params: { id } }, page, {
    columns: {
      ID: "id",
      AT: "created_at",
      EVENT: "event",
      STATUS: "status",
      ATTEMPTS: { right: "attempts" },
      LAST: lastOf,
      NEXT: "next_attempt_at"
    },
    empty: "nothing has been sent there yet"
  })

/** `postcode webhooks retry` */
export const retryDelivery: Work<Id> = (params, options) =>
  printResponse(options, "POST /v1/admin/webhook-deliveries/:id/retry", { params }, deliveryFields)

/** `postcode webhooks delete` */
export const deleteWebhook: Work<Id> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/webhooks/:id", { params }, { removed: "id" })

type Delivery = DataOf<"POST /v1/admin/webhook-deliveries/:id/retry">

const lastOf = ({ fault, last_status }: Delivery) => last_status ?? fault

const deliveryFields: View<Delivery> = {
  delivery: "id",
  event: "event",
  status: "status",
  attempts: "attempts",
  last: lastOf,
  next: "next_attempt_at"
}
