import { Command } from "effect/cli"
import { optionalFlag } from "../../Parameters.ts"
import { csvFile, environment } from "../CommonFlags.ts"
import { organizationCommandsOf } from "../commandsOf.ts"
import { reportDays } from "../Days.ts"

const ofOrganization = organizationCommandsOf(() => import("./showSelections.ts"))

export const selections = ofOrganization(
  "selections",
  "Postcodes picked in an organization's widget, counted by day, LGA and source\n" +
    "  Rows with fewer than five selections are left out.",
  {
    environment,
    ...reportDays,
    csv: optionalFlag("csv", csvFile)
  },
  ({ showSelections }) => showSelections
).pipe(Command.withExamples([{ command: "postcode orgs selections org_… --environment live --csv selections.csv" }]))
