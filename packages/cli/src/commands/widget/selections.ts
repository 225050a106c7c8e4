import { Command } from "effect/cli"
import { optionalFlag } from "../../Parameters.ts"
import { csvFile, environment, organizationId } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"
import { reportDays } from "../Days.ts"

const command = managementCommandsOf(() => import("./showSelections.ts"))

export const selections = command(
  "selections",
  "Postcodes picked in an organization's widget, counted by day, LGA and source\n" +
    "  Rows with fewer than five selections are left out.",
  {
    id: organizationId,
    environment,
    ...reportDays,
    csv: optionalFlag("csv", csvFile)
  },
  ({ showSelections }) => showSelections
).pipe(Command.withExamples([{ command: "postcode orgs selections org_… --environment live --csv selections.csv" }]))
