import { environments, maximumGrant } from "@postcode/core/Credits"
import { Result } from "effect"
import { Command } from "effect/cli"
import { lazily } from "../Lazy.ts"
import { argument, flag, oneOf, optionalFlag, type Reader, requiredFlag, text, wholeNumber } from "../Parameters.ts"
import { connection, json, page } from "./CommonFlags.ts"
import { organizationId } from "./orgs.ts"

const load = () => import("../management/credits.ts")

const environment = flag("environment", {
  read: oneOf(environments),
  metavar: "ENV",
  description: "Which account, test or live; test unless told",
  fallback: "test"
})

const day: Reader<string> = (given) =>
  /^\d{4}-\d\d-\d\d$/.test(given) ? Result.succeed(given) : Result.fail("a day as YYYY-MM-DD")

const show = Command.make(
  "show",
  { organization: organizationId, environment, ...page, ...connection, json },
  (input) => lazily(load, ({ showCredits }) => showCredits(input))
).pipe(Command.withDescription("Show the balance and the ledger, newest entry first"))

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

const usage = Command.make(
  "usage",
  {
    organization: organizationId,
    environment,
    from: optionalFlag("from", {
      read: day,
      metavar: "DAY",
      description: "First day in UTC, YYYY-MM-DD; 30 days ago unless told"
    }),
    to: optionalFlag("to", { read: day, metavar: "DAY", description: "Last day in UTC; today unless told" }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ showUsage }) => showUsage(input))
).pipe(Command.withDescription("Requests and credits by day and operation"))

export const credits = Command.make("credits").pipe(
  Command.withDescription("Credits: balance, ledger, grants, usage"),
  Command.withSubcommands([show, grant, usage])
)
