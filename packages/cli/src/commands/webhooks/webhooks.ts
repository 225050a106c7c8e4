import { Command } from "effect/cli"
import { optionalText, textArgument } from "../../Parameters.ts"
import { organizationId, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageWebhooks.ts")
const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const id = textArgument("WEBHOOK", "A webhook's id: whk_…")

const list = ofOrganization(
  "list",
  "List an organization's webhooks, newest first",
  {},
  ({ listWebhooks }) => listWebhooks
)

const create = command(
  "create",
  "Add a webhook and print its secret, once",
  {
    id: organizationId,
    url: textArgument("ADDRESS", "Where to send events, over https"),
    description: optionalText("description", "TEXT", "What it is for")
  },
  ({ createWebhook }) => createWebhook
).pipe(Command.withExamples([{ command: "postcode webhooks create org_… https://example.com/hooks" }]))

const rotateSecret = command(
  "rotate-secret",
  "Make another secret and print it, once; the one before signs as well for 24 hours",
  { id },
  ({ rotateSecret }) => rotateSecret
)

const test = command("test", "Send an event webhook.test", { id }, ({ testWebhook }) => testWebhook)

const deliveries = command(
  "deliveries",
  "Show what was sent to a webhook, newest first",
  { id, page },
  ({ listDeliveries }) => listDeliveries
)

const retry = command(
  "retry",
  "Send a delivery again that is pending or has failed, at once",
  { id: textArgument("DELIVERY", "A delivery's id: dlv_…") },
  ({ retryDelivery }) => retryDelivery
)

const remove = command("delete", "Remove a webhook with its deliveries", { id }, ({ deleteWebhook }) => deleteWebhook)

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Webhooks: endpoints of an organization that receive its events"),
  Command.withSubcommands([list, create, rotateSecret, test, deliveries, retry, remove])
)
