import { webhookEventTypes } from "@postcode/gateway/webhooks/Webhook"
import { Command } from "effect/cli"
import { argument, booleanFlag, oneOf, optionalText, requiredFlag, textArgument } from "../../Parameters.ts"
import { organizationId, ownOrganizationId, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"
import { forwardUrl } from "./forwardUrl.ts"

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

const listen = organizationCommandsOf(() => import("./listenToWebhooks.ts"))(
  "listen",
  "Receive an organization's webhooks on this computer, and post them to a server under development, until Ctrl-C\n" +
    "  Needs no address that the service reaches. Messages are signed, and tried again after a failure, as those of a\n" +
    "  webhook. The secret is printed, and stays the same on this computer. Deliveries wait for up to an hour while the\n" +
    "  connection is lost; Ctrl-C removes those that wait.",
  {
    forward: requiredFlag("forward", {
      read: forwardUrl,
      metavar: "URL",
      description: "Where to post: http://localhost:4000/hook, or 4000/hook for short"
    })
  },
  ({ listenToWebhooks }) => listenToWebhooks
).pipe(
  Command.withShortDescription("Receive an organization's webhooks on this computer"),
  Command.withExamples([{ command: "postcode webhooks listen --forward http://localhost:4000/hook" }])
)

const trigger = command(
  "trigger",
  "Send an example of an event to the programs that listen\n" +
    "  Its data has test: true, and nothing that it tells of happens. Webhooks may be of production: they get it only\n" +
    "  with --webhook or --all.",
  {
    event: argument("EVENT", { read: oneOf(webhookEventTypes), description: `One of ${webhookEventTypes.join(", ")}` }),
    organization: ownOrganizationId,
    webhook: optionalText("webhook", "ID", "Only this webhook or listener: whk_…"),
    all: booleanFlag("all", "All webhooks of the organization, too")
  },
  ({ triggerEvent }) => triggerEvent
).pipe(
  Command.withShortDescription("Send an example of an event to the programs that listen"),
  Command.withExamples([{ command: "postcode webhooks trigger credits.low" }])
)

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
  Command.withSubcommands([list, create, rotateSecret, test, listen, trigger, deliveries, retry, remove])
)
