import { accessRequestStatuses } from "@postcode/core/Organization"
import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, oneOf, optionalFlag, requiredFlag, text } from "../../Parameters.ts"
import { accessLevel, connection, json, order, page } from "../CommonFlags.ts"
import { organizationId } from "./orgs.ts"

const load = () => import("./accessRequests.ts")

const requestId = argument("REQUEST", { read: text, description: "An access request's id: acr_…" })

const note = requiredFlag("note", { read: text, metavar: "TEXT", description: "Why; kept with the decision" })

const list = Command.make(
  "list",
  {
    status: optionalFlag("status", {
      read: oneOf(accessRequestStatuses),
      metavar: "STATUS",
      description: `Only those: ${accessRequestStatuses.join(", ")}`
    }),
    organization: optionalFlag("organization", {
      read: text,
      metavar: "ORG",
      description: "Only those of this organization"
    }),
    order,
    ...page,
    ...connection,
    json
  },
  (input) => lazily(load, ({ listAccessRequests }) => listAccessRequests(input))
).pipe(
  Command.withDescription("List access requests, newest first by default"),
  Command.withExamples([{ command: "postcode access list --status pending --order oldest" }])
)

const request = Command.make(
  "request",
  {
    organization: organizationId,
    level: requiredFlag("level", {
      read: accessLevel,
      metavar: "N",
      description: "The level to ask for, 1 to 5"
    }),
    reason: requiredFlag("reason", { read: text, metavar: "TEXT", description: "What it is needed for" }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ requestAccess }) => requestAccess(input))
).pipe(Command.withDescription("Ask for a higher level"))

const approve = Command.make("approve", { request: requestId, note, ...connection, json }, (input) =>
  lazily(load, ({ decideAccess }) => decideAccess("approved", input))
).pipe(Command.withDescription("Approve a request, which raises the organization's grant"))

const reject = Command.make("reject", { request: requestId, note, ...connection, json }, (input) =>
  lazily(load, ({ decideAccess }) => decideAccess("rejected", input))
).pipe(Command.withDescription("Reject a request"))

export const access = Command.make("access").pipe(
  Command.withDescription("Requests for a higher level, and their review"),
  Command.withSubcommands([list, request, approve, reject])
)
