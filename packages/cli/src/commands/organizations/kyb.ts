import { Command } from "effect/cli"
import { optionalFlag, optionalText, requiredFlag, requiredText, text } from "../../Parameters.ts"
import { organizationId } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageOrganizations.ts")
const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const reason = { read: text, metavar: "TEXT", description: "What the review found; its owners see it" }

const submit = ofOrganization(
  "submit",
  "Request the verification of an organization",
  {
    business_name: requiredText("business-name", "NAME", "The name under which the business is registered"),
    registration_number: requiredText("registration-number", "NUMBER", "Its registration number"),
    note: optionalText("note", "TEXT", "A note for the review")
  },
  ({ submitKyb }) => submitKyb
).pipe(
  Command.withExamples([
    { command: 'postcode kyb submit org_… --business-name "Example Ltd" --registration-number "RC 1234567"' }
  ])
)

const verify = command(
  "verify",
  "Verify an organization, which can then have live keys",
  { id: organizationId, review_note: optionalFlag("note", reason) },
  ({ verifyKyb }) => verifyKyb
)

const reject = command(
  "reject",
  "Reject the verification of an organization, which can request it again",
  { id: organizationId, review_note: requiredFlag("note", reason) },
  ({ rejectKyb }) => rejectKyb
)

export const kyb = Command.make("kyb").pipe(
  Command.withDescription(
    "The verification of businesses; postcode orgs list --kyb-status pending lists what waits for a review"
  ),
  Command.withShortDescription("The verification of businesses"),
  Command.withSubcommands([submit, verify, reject])
)
