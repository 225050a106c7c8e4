import { memberRoles } from "@postcode/core/ManagementAccess"
import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, oneOf, requiredFlag, text } from "../../Parameters.ts"
import { connection, consoleUrl, invitedEmail, json, page } from "../CommonFlags.ts"
import { organizationId } from "../organizations/orgs.ts"

const load = () => import("./manageAccounts.ts")

const accountId = argument("ACCOUNT", { read: text, description: "An account's id: acc_…" })

const role = { read: oneOf(memberRoles), description: `What they may do: ${memberRoles.join(", ")}` }

const list = Command.make("list", { organization: organizationId, ...page, ...connection, json }, (input) =>
  lazily(load, ({ listMembers }) => listMembers(input))
).pipe(Command.withDescription("List an organization's members, newest first"))

const invite = Command.make(
  "invite",
  {
    organization: organizationId,
    role: requiredFlag("role", { ...role, metavar: "ROLE" }),
    email: invitedEmail,
    consoleUrl,
    ...connection,
    json
  },
  (input) => lazily(load, ({ inviteMember }) => inviteMember(input))
).pipe(
  Command.withDescription("Make a link that opens a member's account, and print it, once"),
  Command.withExamples([{ command: "postcode members invite org_… --role developer --email ada@example.com" }])
)

const changeRole = Command.make(
  "role",
  { account: accountId, role: argument("ROLE", role), ...connection, json },
  (input) => lazily(load, ({ changeRole }) => changeRole(input))
).pipe(Command.withDescription("Change a member's role, which ends their sessions"))

const remove = Command.make("remove", { account: accountId, ...connection, json }, (input) =>
  lazily(load, ({ removeAccount }) => removeAccount(input))
).pipe(Command.withDescription("Remove an account with its sessions"))

export const members = Command.make("members").pipe(
  Command.withDescription("The people of an organization"),
  Command.withSubcommands([list, invite, changeRole, remove])
)
