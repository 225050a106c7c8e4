import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { optionalFlag, requiredFlag, text } from "../../Parameters.ts"
import { connection, json } from "../CommonFlags.ts"
import { organizationId } from "./orgs.ts"

const load = () => import("./reviewKyb.ts")

const reason = { read: text, metavar: "TEXT", description: "What the review found; its owners see it" }

const submit = Command.make(
  "submit",
  {
    organization: organizationId,
    business_name: requiredFlag("business-name", {
      read: text,
      metavar: "NAME",
      description: "The name under which the business is registered"
    }),
    registration_number: requiredFlag("registration-number", {
      read: text,
      metavar: "NUMBER",
      description: "Its number there"
    }),
    note: optionalFlag("note", { read: text, metavar: "TEXT", description: "What the review should know" }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ submitKyb }) => submitKyb(input))
).pipe(
  Command.withDescription("Ask for the verification of an organization"),
  Command.withExamples([
    { command: 'postcode kyb submit org_… --business-name "Example Ltd" --registration-number "RC 1234567"' }
  ])
)

const verify = Command.make(
  "verify",
  { organization: organizationId, note: optionalFlag("note", reason), ...connection, json },
  (input) => lazily(load, ({ decideKyb }) => decideKyb("verified", input))
).pipe(Command.withDescription("Verify an organization, which may have live keys then"))

const reject = Command.make(
  "reject",
  { organization: organizationId, note: requiredFlag("note", reason), ...connection, json },
  (input) => lazily(load, ({ decideKyb }) => decideKyb("rejected", input))
).pipe(Command.withDescription("Reject the verification of an organization, which may ask again"))

export const kyb = Command.make("kyb").pipe(
  Command.withDescription("The verification of businesses; postcode orgs list --kyb-status pending shows what waits"),
  Command.withShortDescription("The verification of businesses"),
  Command.withSubcommands([submit, verify, reject])
)
