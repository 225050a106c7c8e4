import { kybStatuses } from "@postcode/core/Organization"
import { Result } from "effect"
import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, oneOf, optionalFlag, type Reader, text, wholeNumber } from "../../Parameters.ts"
import { accessLevel, connection, json, order, page } from "../CommonFlags.ts"

const load = () => import("./manageOrganizations.ts")

/** A number of requests; null for `default`. */
const requestLimit: Reader<number | null> = (given) =>
  given === "default"
    ? Result.succeed(null)
    : Result.mapError(wholeNumber(1, 1_000_000)(given), (expected) => `${expected}, or default`)

/** The organization of a command. */
export const organizationId = argument("ORG", { read: text, description: "An organization's id: org_…" })

const list = Command.make(
  "list",
  {
    kyb_status: optionalFlag("kyb-status", {
      read: oneOf(kybStatuses),
      metavar: "STATUS",
      description: `Only those: ${kybStatuses.join(", ")}`
    }),
    name: optionalFlag("name", { read: text, metavar: "TEXT", description: "Only those with this in their name" }),
    order,
    ...page,
    ...connection,
    json
  },
  (input) => lazily(load, ({ listOrganizations }) => listOrganizations(input))
).pipe(
  Command.withDescription("List organizations, newest first by default"),
  Command.withExamples([{ command: "postcode orgs list --kyb-status pending --order oldest" }])
)

const create = Command.make(
  "create",
  { name: argument("NAME", { read: text, description: "What it is called" }), ...connection, json },
  (input) => lazily(load, ({ createOrganization }) => createOrganization(input))
).pipe(
  Command.withDescription("Create an organization: level 1, 1000 test credits"),
  Command.withExamples([{ command: 'postcode orgs create "Example Ltd"' }])
)

const show = Command.make("show", { organization: organizationId, ...connection, json }, (input) =>
  lazily(load, ({ showOrganization }) => showOrganization(input))
).pipe(Command.withDescription("Show an organization"))

const update = Command.make(
  "update",
  {
    organization: organizationId,
    name: optionalFlag("name", { read: text, metavar: "NAME", description: "A new name" }),
    granted_level: optionalFlag("granted-level", {
      read: accessLevel,
      metavar: "N",
      description: "The deepest level that its keys are served, 1 to 5; 5 needs --review-note"
    }),
    kyb_status: optionalFlag("kyb-status", {
      read: oneOf(kybStatuses),
      metavar: "STATUS",
      description: `Business verification: ${kybStatuses.join(", ")}`
    }),
    rate_limit: optionalFlag("rate-limit", {
      read: requestLimit,
      metavar: "N",
      description: "Requests a minute of all its keys together; `default` for the service's own"
    }),
    review_note: optionalFlag("review-note", { read: text, metavar: "TEXT", description: "What the review found" }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ updateOrganization }) => updateOrganization(input))
).pipe(
  Command.withDescription("Rename an organization, grant a level, set its KYB status and its request limit"),
  Command.withExamples([{ command: "postcode orgs update org_… --granted-level 4 --kyb-status verified" }])
)

export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([list, create, show, update])
)
