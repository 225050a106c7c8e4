import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { flag } from "../../Parameters.ts"
import { connection, csvFile, environment, organizationId } from "../CommonFlags.ts"

export const entries = Command.make(
  "entries",
  {
    id: organizationId,
    environment,
    csv: flag("csv", { ...csvFile, fallback: "-" }),
    ...connection
  },
  (input) =>
    lazily(
      () => import("./manageCredits.ts"),
      ({ exportEntries }) => exportEntries(input)
    )
).pipe(
  Command.withDescription("Write the whole ledger as CSV, newest entry first"),
  Command.withExamples([{ command: "postcode credits entries org_… --environment live --csv ledger.csv" }])
)
