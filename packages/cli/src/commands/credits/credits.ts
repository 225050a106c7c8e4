import { correctionKinds } from "@postcode/core/Credits"
import { creditLimits } from "@postcode/gateway/InputLimits"
import { Command } from "effect/cli"
import {
  argument,
  booleanFlag,
  flag,
  oneOf,
  optionalFlag,
  optionalText,
  requiredFlag,
  requiredText,
  wholeNumber
} from "../../Parameters.ts"
import { connection, csvFile, environment, json, organizationId, page } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"
import { reportDays } from "../Days.ts"
import { usage } from "../usage/usage.ts"

const load = () => import("./manageCredits.ts")

const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const { data, insecureHttp, profile, url } = connection

const prices = commandsOf(() => import("./showPrices.ts"))(
  "prices",
  "Show the prices of a service, in credits. Needs no key",
  { url, profile, insecureHttp, data, json },
  ({ showPrices }) => showPrices
).pipe(Command.withExamples([{ command: "postcode credits prices --url https://postcode.example" }]))

const show = ofOrganization(
  "show",
  "Show the balance, how long it lasts, and the ledger, newest entry first",
  {
    environment,
    reference: optionalText(
      "reference",
      "TEXT",
      "Only the entries of this request id, or of this reference of a grant or correction"
    ),
    page
  },
  ({ showCredits }) => showCredits
)

const grant = command(
  "grant",
  "Add credits, once for each reference",
  {
    id: organizationId,
    amount: argument("AMOUNT", { read: wholeNumber(1, creditLimits.grant), description: "Credits to add" }),
    environment,
    reference: requiredText(
      "reference",
      "TEXT",
      "Your own reference, such as an invoice; the same one again adds nothing"
    )
  },
  ({ grantCredits }) => grantCredits
).pipe(Command.withExamples([{ command: "postcode credits grant org_… 5000 --environment live --reference INV-1042" }]))

const correct = command(
  "correct",
  "Correct a balance, up or down, once for each reference",
  {
    id: organizationId,
    amount: argument("AMOUNT", {
      read: wholeNumber(-creditLimits.correction, creditLimits.correction),
      description: "Credits to add, or with a minus sign to deduct"
    }),
    environment,
    kind: requiredFlag("kind", {
      read: oneOf(correctionKinds),
      metavar: correctionKinds.join("|"),
      description: "Whether credits or their payment are returned, or anything else is put right"
    }),
    reason: requiredText("reason", "TEXT", "Why, for the organization to read"),
    reference: requiredText(
      "reference",
      "TEXT",
      "Your own reference, such as a case number; the same one again changes nothing"
    )
  },
  ({ correctCredits }) => correctCredits
).pipe(
  Command.withExamples([
    {
      command:
        'postcode credits correct org_… -250 --environment live --kind refund --reason "INV-1042 was paid back" --reference CASE-7'
    }
  ])
)

const threshold = ofOrganization(
  "threshold",
  "Set the balance below which a low-balance event is sent",
  {
    environment,
    below: optionalFlag("below", {
      read: wholeNumber(1, creditLimits.threshold),
      metavar: "N",
      description: "A low-balance event is sent when the balance falls below this"
    }),
    none: booleanFlag("none", "Remove the threshold: no event is sent")
  },
  ({ setThreshold }) => setThreshold
).pipe(Command.withExamples([{ command: "postcode credits threshold org_… --environment live --below 500" }]))

const days = command(
  "days",
  "The credits of all organizations by day, to compare them with payments: for operators",
  { environment, ...reportDays },
  ({ showDays }) => showDays
).pipe(
  Command.withExamples([{ command: "postcode credits days --environment live --from 2026-01-01 --to 2026-01-31" }])
)

const entries = organizationCommandsOf(load, {})(
  "entries",
  "Write the whole ledger as CSV, newest entry first",
  { environment, csv: flag("csv", { ...csvFile, fallback: "-" }) },
  ({ exportEntries }) => exportEntries
).pipe(Command.withExamples([{ command: "postcode credits entries org_… --environment live --csv ledger.csv" }]))

export const credits = Command.make("credits").pipe(
  Command.withDescription("Credits: balance, prices, ledger, grants, corrections, thresholds, usage"),
  Command.withSubcommands([show, prices, grant, correct, threshold, usage, entries, days])
)
