import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, optionalFlag, text } from "../../Parameters.ts"
import { connection, json, page } from "../CommonFlags.ts"

const load = () => import("./manageAccounts.ts")

const list = Command.make(
  "list",
  {
    organization: optionalFlag("organization", {
      read: text,
      metavar: "ORG",
      description: "Those of this organization's members; default: those of operators"
    }),
    ...page,
    ...connection,
    json
  },
  (input) => lazily(load, ({ listInvitations }) => listInvitations(input))
).pipe(Command.withDescription("List the invitations that nobody has accepted yet, newest first"))

const withdraw = Command.make(
  "withdraw",
  { invitation: argument("INVITATION", { read: text, description: "An invitation's id: inv_…" }), ...connection, json },
  (input) => lazily(load, ({ withdrawInvitation }) => withdrawInvitation(input))
).pipe(Command.withDescription("Withdraw an invitation: its link opens nothing any more"))

export const invitations = Command.make("invitations").pipe(
  Command.withDescription("Invitations that nobody has accepted yet"),
  Command.withSubcommands([list, withdraw])
)
