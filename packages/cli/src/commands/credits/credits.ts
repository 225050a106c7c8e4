import { maximumGrant, maximumThreshold } from "@postcode/core/Credits"
import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, booleanFlag, optionalFlag, requiredFlag, text, wholeNumber } from "../../Parameters.ts"
import { connection, environment, json, page } from "../CommonFlags.ts"
import { organizationId } from "../organizations/orgs.ts"
import { usage } from "../usage/usage.ts"
import { entries } from "./entries.ts"

const load = () => import("./manageCredits.ts")

const show = Command.make(
  "show",
  {
    organization: organizationId,
    environment,
    reference: optionalFlag("reference", {
      read: text,
      metavar: "TEXT",
      description: "Only the entries of this request id, or of this reference of a grant"
    }),
    ...page,
    ...connection,
    json
  },
  (input) => lazily(load, ({ showCredits }) => showCredits(input))
).pipe(Command.withDescription("Show the balance, how long it lasts, and the ledger, newest entry first"))

const grant = Command.make(
  "grant",
  {
    organization: organizationId,
    amount: argument("AMOUNT", { read: wholeNumber(1, maximumGrant), description: "Credits to add" }),
    environment,
    reference: requiredFlag("reference", {
      read: text,
      metavar: "TEXT",
      description: "Your own reference, such as an invoice; the same one again adds nothing"
    }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ grantCredits }) => grantCredits(input))
).pipe(
  Command.withDescription("Add credits, once for each reference"),
  Command.withExamples([{ command: "postcode credits grant org_… 5000 --environment live --reference INV-1042" }])
)

const threshold = Command.make(
  "threshold",
  {
    organization: organizationId,
    environment,
    below: optionalFlag("below", {
      read: wholeNumber(1, maximumThreshold),
      metavar: "N",
      description: "A low-balance event is sent when the balance falls below this"
    }),
    none: booleanFlag("none", "Tell nobody any more"),
    ...connection,
    json
  },
  (input) => lazily(load, ({ setThreshold }) => setThreshold(input))
).pipe(
  Command.withDescription("Set the balance below which a low-balance event is sent"),
  Command.withExamples([{ command: "postcode credits threshold org_… --environment live --below 500" }])
)

export const credits = Command.make("credits").pipe(
  Command.withDescription("Credits: balance, ledger, grants, thresholds, usage"),
  Command.withSubcommands([show, grant, threshold, usage, entries])
)
