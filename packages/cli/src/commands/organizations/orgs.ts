import { organizationLimits } from "@postcode/gateway/InputLimits"
import { kybStatuses, organizationStatuses } from "@postcode/gateway/organizations/Organization"
import { Result } from "effect"
import { Command } from "effect/cli"
import {
  oneOf,
  optionalFlag,
  optionalText,
  type Reader,
  requiredText,
  textArgument,
  wholeNumber
} from "../../Parameters.ts"
import { accessLevel, order, organizationId, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"
import { selections } from "../widget/selections.ts"
import { proofKey, widgetSettings } from "../widget/widgetSettings.ts"

const load = () => import("./manageOrganizations.ts")

const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

/** A number of requests; null for `default`. */
const requestLimit: Reader<number | null> = (given) =>
  given === "default"
    ? Result.succeed(null)
    : Result.mapError(
        wholeNumber(1, organizationLimits.rate_limit_per_minute)(given),
        (expected) => `${expected}, or default`
      )

const list = command(
  "list",
  "List organizations, newest first by default",
  {
    kyb_status: optionalFlag("kyb-status", {
      read: oneOf(kybStatuses),
      metavar: "STATUS",
      description: `Only organizations with this status: ${kybStatuses.join(", ")}`
    }),
    status: optionalFlag("status", {
      read: oneOf(organizationStatuses),
      metavar: "STATUS",
      description: `Only organizations with this status: ${organizationStatuses.join(", ")}`
    }),
    name: optionalText("name", "TEXT", "Only organizations whose name contains this"),
    order,
    page
  },
  ({ listOrganizations }) => listOrganizations
).pipe(
  Command.withExamples([
    { command: "postcode orgs list --kyb-status pending --order oldest" },
    { command: "postcode orgs list --status suspended" }
  ])
)

const create = command(
  "create",
  "Create an organization: level 1, 1000 test credits",
  { name: textArgument("NAME", "Its name") },
  ({ createOrganization }) => createOrganization
).pipe(Command.withExamples([{ command: 'postcode orgs create "Example Ltd"' }]))

const show = ofOrganization("show", "Show an organization", {}, ({ showOrganization }) => showOrganization)

const update = command(
  "update",
  "Rename an organization, grant a level, set its KYB status and its request limit",
  {
    id: organizationId,
    name: optionalText("name", "NAME", "A new name"),
    granted_level: optionalFlag("granted-level", {
      read: accessLevel,
      metavar: "N",
      description: "The highest level that its keys are served, 1 to 5; 5 needs --review-note"
    }),
    kyb_status: optionalFlag("kyb-status", {
      read: oneOf(kybStatuses),
      metavar: "STATUS",
      description: `Business verification: ${kybStatuses.join(", ")}`
    }),
    rate_limit_per_minute: optionalFlag("rate-limit", {
      read: requestLimit,
      metavar: "N",
      description: "Requests a minute of all its keys together; `default` for the service's own"
    }),
    review_note: optionalText("review-note", "TEXT", "What the review found")
  },
  ({ updateOrganization }) => updateOrganization
).pipe(Command.withExamples([{ command: "postcode orgs update org_… --granted-level 4 --kyb-status verified" }]))

const reason = requiredText("reason", "TEXT", "Why; its members see it, and it is kept in the audit log")
const folder = (name: string) =>
  requiredText(name, "FOLDER", "A new folder for its keys, ledger, usage, selections and audit log")

const suspend = command(
  "suspend",
  "Refuse an organization's keys and widget sessions; its members may still read",
  { id: organizationId, reason },
  ({ suspendOrganization }) => suspendOrganization
).pipe(Command.withExamples([{ command: 'postcode orgs suspend org_… --reason "Invoice 1042 is unpaid"' }]))

const resume = command(
  "resume",
  "Resume a suspended organization: its keys work again as they were",
  { id: organizationId, reason },
  ({ resumeOrganization }) => resumeOrganization
)

const exportAll = organizationCommandsOf(load, {})(
  "export",
  "Write all that is stored of an organization into a new folder",
  { folder: folder("to") },
  ({ exportData }) => exportData
).pipe(Command.withExamples([{ command: "postcode orgs export org_… --to example-ltd" }]))

const close = command(
  "close",
  "Export a suspended organization, then close it permanently: its keys are revoked",
  { id: organizationId, reason, folder: folder("export") },
  ({ closeOrganization }) => closeOrganization
).pipe(Command.withExamples([{ command: 'postcode orgs close org_… --reason "Contract ended" --export example-ltd' }]))

export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([
    list,
    create,
    show,
    update,
    selections,
    widgetSettings,
    proofKey,
    suspend,
    resume,
    exportAll,
    close
  ])
)
