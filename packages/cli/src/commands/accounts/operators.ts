import { Command } from "effect/cli"
import { textArgument } from "../../Parameters.ts"
import { consoleUrl, invitedEmail, page } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./manageAccounts.ts"))

const list = command("list", "List the operators, newest first", { page }, ({ listOperators }) => listOperators)

const invite = command(
  "invite",
  "Make a link that opens an operator's account, and print it, once",
  { email: invitedEmail, consoleUrl },
  ({ inviteOperator }) => inviteOperator
).pipe(Command.withExamples([{ command: "postcode operators invite --email ada@example.com" }]))

const remove = command(
  "remove",
  "Remove an account everywhere: from the instance and from all its organizations",
  { id: textArgument("ACCOUNT", "An account's id: acc_…") },
  ({ removeAccount }) => removeAccount
)

export const operators = Command.make("operators").pipe(
  Command.withDescription("The people who run the service"),
  Command.withSubcommands([list, invite, remove])
)
