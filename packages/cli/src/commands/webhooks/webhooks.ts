import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, optionalFlag, text } from "../../Parameters.ts"
import { connection, json, page } from "../CommonFlags.ts"
import { organizationId } from "../organizations/orgs.ts"

const load = () => import("./manageWebhooks.ts")

const webhook = argument("WEBHOOK", { read: text, description: "A webhook's id: whk_…" })

const list = Command.make("list", { organization: organizationId, ...connection, json }, (input) =>
  lazily(load, ({ listWebhooks }) => listWebhooks(input))
).pipe(Command.withDescription("List an organization's webhooks, newest first"))

const create = Command.make(
  "create",
  {
    organization: organizationId,
    address: argument("ADDRESS", { read: text, description: "Where to send events, over https" }),
    description: optionalFlag("description", { read: text, metavar: "TEXT", description: "What it is for" }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ createWebhook }) => createWebhook(input))
).pipe(
  Command.withDescription("Add a webhook and print its secret, once"),
  Command.withExamples([{ command: "postcode webhooks create org_… https://example.com/hooks" }])
)

const rotateSecret = Command.make("rotate-secret", { webhook, ...connection, json }, (input) =>
  lazily(load, ({ rotateSecret }) => rotateSecret(input))
).pipe(Command.withDescription("Make another secret and print it, once; the one before signs as well for 24 hours"))

const test = Command.make("test", { webhook, ...connection, json }, (input) =>
  lazily(load, ({ testWebhook }) => testWebhook(input))
).pipe(Command.withDescription("Send an event webhook.test"))

const deliveries = Command.make("deliveries", { webhook, ...page, ...connection, json }, (input) =>
  lazily(load, ({ listDeliveries }) => listDeliveries(input))
).pipe(Command.withDescription("Show what was sent to a webhook, newest first"))

const retry = Command.make(
  "retry",
  { delivery: argument("DELIVERY", { read: text, description: "A delivery's id: dlv_…" }), ...connection, json },
  (input) => lazily(load, ({ retryDelivery }) => retryDelivery(input))
).pipe(Command.withDescription("Send a delivery again that is pending or has failed, at once"))

const remove = Command.make("delete", { webhook, ...connection, json }, (input) =>
  lazily(load, ({ deleteWebhook }) => deleteWebhook(input))
).pipe(Command.withDescription("Remove a webhook with its deliveries"))

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Webhooks: endpoints of an organization that receive low-balance events"),
  Command.withSubcommands([list, create, rotateSecret, test, deliveries, retry, remove])
)
