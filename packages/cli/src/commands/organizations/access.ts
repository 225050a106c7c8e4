import { accessRequestStatuses } from "@postcode/gateway/organizations/Organization"
import { Command } from "effect/cli"
import { oneOf, optionalFlag, optionalText, requiredFlag, requiredText, textArgument } from "../../Parameters.ts"
import { accessLevel, order, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"

const load = () => import("./accessRequests.ts")
const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const decision = {
  id: textArgument("REQUEST", "An access request's id: acr_…"),
  note: requiredText("note", "TEXT", "Why; kept with the decision")
}

const list = command(
  "list",
  "List access requests, newest first by default",
  {
    status: optionalFlag("status", {
      read: oneOf(accessRequestStatuses),
      metavar: "STATUS",
      description: `Only requests with this status: ${accessRequestStatuses.join(", ")}`
    }),
    organization_id: optionalText("organization", "ORG", "Only requests of this organization"),
    order,
    page
  },
  ({ listAccessRequests }) => listAccessRequests
).pipe(Command.withExamples([{ command: "postcode access list --status pending --order oldest" }]))

const request = ofOrganization(
  "request",
  "Request a higher level",
  {
    level: requiredFlag("level", { read: accessLevel, metavar: "N", description: "The level to request, 1 to 5" }),
    reason: requiredText("reason", "TEXT", "What it is needed for")
  },
  ({ requestAccess }) => requestAccess
)

const approve = command(
  "approve",
  "Approve a request, which raises the organization's grant",
  decision,
  ({ approveAccess }) => approveAccess
)

const reject = command("reject", "Reject a request", decision, ({ rejectAccess }) => rejectAccess)

export const access = Command.make("access").pipe(
  Command.withDescription("Requests for a higher level, and their review"),
  Command.withSubcommands([list, request, approve, reject])
)
