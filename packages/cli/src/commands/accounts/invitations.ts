import { Command } from "effect/cli"
import { optionalText, textArgument } from "../../Parameters.ts"
import { page } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./manageAccounts.ts"))

const organization = optionalText(
  "organization",
  "ORG",
  "Those of this organization's members; default: those of operators"
)

const list = command(
  "list",
  "List the invitations that are not accepted yet, newest first",
  { organization, page },
  ({ listInvitations }) => listInvitations
)

const withdraw = command(
  "withdraw",
  "Withdraw an invitation: its link no longer works",
  { id: textArgument("INVITATION", "An invitation's id: inv_…") },
  ({ withdrawInvitation }) => withdrawInvitation
)

export const invitations = Command.make("invitations").pipe(
  Command.withDescription("Invitations that are not accepted yet"),
  Command.withSubcommands([list, withdraw])
)
