import { Command } from "effect/cli"
import { flag } from "../../Parameters.ts"
import { connection, csvFile, environment, organizationId } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./manageCredits.ts"))

export const entries = command(
  "entries",
  "Write the whole ledger as CSV, newest entry first",
  {
    id: organizationId,
    environment,
    csv: flag("csv", { ...csvFile, fallback: "-" }),
    ...connection
  },
  ({ exportEntries }) => exportEntries
).pipe(Command.withExamples([{ command: "postcode credits entries org_… --environment live --csv ledger.csv" }]))
