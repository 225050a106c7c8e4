import { Command } from "effect/cli"
import { argument, optionalFlag, text } from "../../Parameters.ts"
import { page } from "../CommonFlags.ts"
import { commandsOf } from "../ManagementCommand.ts"

const command = commandsOf(() => import("./manageAccounts.ts"))

const organization = optionalFlag("organization", {
  read: text,
  metavar: "ORG",
  description: "Those of this organization's members; default: those of operators"
})

const list = command(
  "list",
  "List the invitations that nobody has accepted yet, newest first",
  { organization, ...page },
  ({ listInvitations }) => listInvitations
)

const withdraw = command(
  "withdraw",
  "Withdraw an invitation: its link opens nothing any more",
  { id: argument("INVITATION", { read: text, description: "An invitation's id: inv_…" }) },
  ({ withdrawInvitation }) => withdrawInvitation
)

export const invitations = Command.make("invitations").pipe(
  Command.withDescription("Invitations that nobody has accepted yet"),
  Command.withSubcommands([list, withdraw])
)
