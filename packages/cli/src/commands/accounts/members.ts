import { memberRoles } from "@postcode/gateway/ManagementAccess"
import { Command } from "effect/cli"
import { argument, oneOf, requiredFlag, textArgument } from "../../Parameters.ts"
import { consoleUrl, invitedEmail, organizationId, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageAccounts.ts")
const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const accountId = textArgument("ACCOUNT", "An account's id: acc_…")

const role = { read: oneOf(memberRoles), description: `What they may do: ${memberRoles.join(", ")}` }

const list = ofOrganization(
  "list",
  "List an organization's members, newest first",
  { page },
  ({ listMembers }) => listMembers
)

const invite = command(
  "invite",
  "Invite a member: print a link that opens an account, or that an existing account joins with, once",
  { id: organizationId, role: requiredFlag("role", { ...role, metavar: "ROLE" }), email: invitedEmail, consoleUrl },
  ({ inviteMember }) => inviteMember
).pipe(Command.withExamples([{ command: "postcode members invite org_… --role developer --email ada@example.com" }]))

const changeRole = ofOrganization(
  "role",
  "Change a member's role in an organization, from the next request on",
  { account: accountId, role: argument("ROLE", role) },
  ({ changeRole }) => changeRole
)

const remove = ofOrganization(
  "remove",
  "Remove a member from an organization; an account that belongs to nothing else is removed",
  { account: accountId },
  ({ removeMember }) => removeMember
)

export const members = Command.make("members").pipe(
  Command.withDescription("The people of an organization"),
  Command.withSubcommands([list, invite, changeRole, remove])
)
