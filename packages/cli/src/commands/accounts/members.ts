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
  "Make a link that opens a member's account, and print it, once",
  { id: organizationId, role: requiredFlag("role", { ...role, metavar: "ROLE" }), email: invitedEmail, consoleUrl },
  ({ inviteMember }) => inviteMember
).pipe(Command.withExamples([{ command: "postcode members invite org_… --role developer --email ada@example.com" }]))

const changeRole = command(
  "role",
  "Change a member's role, which ends their sessions",
  { id: accountId, role: argument("ROLE", role) },
  ({ changeRole }) => changeRole
)

const remove = command(
  "remove",
  "Remove an account with its sessions",
  { id: accountId },
  ({ removeAccount }) => removeAccount
)

export const members = Command.make("members").pipe(
  Command.withDescription("The people of an organization"),
  Command.withSubcommands([list, invite, changeRole, remove])
)
