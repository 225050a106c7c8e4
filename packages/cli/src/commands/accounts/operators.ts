import { Command } from "effect/cli"
import { consoleUrl, invitedEmail, page } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./manageAccounts.ts"))

const list = command(
  "list",
  "List the operators, newest first; postcode members remove removes one",
  { page },
  ({ listOperators }) => listOperators
)

const invite = command(
  "invite",
  "Make a link that opens an operator's account, and print it, once",
  { email: invitedEmail, consoleUrl },
  ({ inviteOperator }) => inviteOperator
).pipe(Command.withExamples([{ command: "postcode operators invite --email ada@example.com" }]))

export const operators = Command.make("operators").pipe(
  Command.withDescription("The people who run the service"),
  Command.withSubcommands([list, invite])
)
