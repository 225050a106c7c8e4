import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { connection, consoleUrl, invitedEmail, json, page } from "../CommonFlags.ts"

const load = () => import("./manageAccounts.ts")

const list = Command.make("list", { ...page, ...connection, json }, (input) =>
  lazily(load, ({ listOperators }) => listOperators(input))
).pipe(Command.withDescription("List the operators, newest first; postcode members remove removes one"))

const invite = Command.make("invite", { email: invitedEmail, consoleUrl, ...connection, json }, (input) =>
  lazily(load, ({ inviteOperator }) => inviteOperator(input))
).pipe(
  Command.withDescription("Make a link that opens an operator's account, and print it, once"),
  Command.withExamples([{ command: "postcode operators invite --email ada@example.com" }])
)

export const operators = Command.make("operators").pipe(
  Command.withDescription("The people who run the service"),
  Command.withSubcommands([list, invite])
)
