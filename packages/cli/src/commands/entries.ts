import { environments } from "@postcode/core/Credits"
import { Command } from "effect/cli"
import { lazily } from "../Lazy.ts"
import { flag, oneOf } from "../Parameters.ts"
import { connection, csvFile } from "./CommonFlags.ts"
import { organizationId } from "./orgs.ts"

export const entries = Command.make(
  "entries",
  {
    organization: organizationId,
    environment: flag("environment", {
      read: oneOf(environments),
      metavar: "ENV",
      description: "Which account, test or live; test unless told",
      fallback: "test"
    }),
    csv: flag("csv", { ...csvFile, fallback: "-" }),
    ...connection
  },
  (input) =>
    lazily(
      () => import("../management/ledgerEntries.ts"),
      ({ exportEntries }) => exportEntries(input)
    )
).pipe(
  Command.withDescription("Write the whole ledger as CSV, newest entry first"),
  Command.withExamples([{ command: "postcode credits entries org_… --environment live --csv ledger.csv" }])
)
