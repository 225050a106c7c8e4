import { Result } from "effect"
import { Command } from "effect/cli"
import { booleanFlag, optionalText, type Reader, requiredFlag, requiredText } from "../../Parameters.ts"
import { data, databaseUrl, json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const month: Reader<string> = (given) =>
  /^2\d{3}-(0[1-9]|1[0-2])$/.test(given) ? Result.succeed(given) : Result.fail("a month such as 2026-01")

const archive = commandsOf(() => import("./archiveMonths.ts"))(
  "archive",
  "Move closed months of the ledger from the database to files\n" +
    "  Each month becomes one compressed file with a checksum. The month is detached only after the file has been read back\n" +
    "  and compared with the closing balances. Its table stays until you repeat the command with --drop. The command can be\n" +
    "  stopped and repeated at any time, and runs beside the service.",
  {
    before: requiredFlag("before", {
      read: month,
      metavar: "MONTH",
      description: "Archive the months before this one, such as 2026-01"
    }),
    to: requiredText("to", "DIR", "The folder of the archive"),
    drop: booleanFlag("drop", "Drop the tables of archived months, after their files have been verified once more"),
    databaseUrl,
    data,
    json
  },
  ({ archiveMonths }) => archiveMonths
).pipe(
  Command.withShortDescription("Move closed months of the ledger from the database to files"),
  Command.withExamples([
    {
      command: "postcode ledger archive --before 2026-01 --to ./ledger --database-url postgresql://postcode@db/postcode"
    }
  ])
)

const verify = commandsOf(() => import("./verifyEntries.ts"))(
  "verify",
  "Prove every balance from the entries of the ledger\n" +
    "  It reads all entries at one moment, while the service runs: their numbers must have no gap, and each balance must be\n" +
    "  the sum of its entries. With --archive it also reads all archived months, otherwise it begins at their closing\n" +
    "  balances. It changes nothing. The exit code is 1 if anything is wrong.",
  { archive: optionalText("archive", "DIR", "The folder of the archive"), databaseUrl, data, json },
  ({ verifyEntries }) => verifyEntries
).pipe(
  Command.withShortDescription("Prove every balance from the entries of the ledger"),
  Command.withExamples([
    { command: "postcode ledger verify --archive ./ledger --database-url postgresql://postcode@db/postcode" }
  ])
)

export const ledger = Command.make("ledger").pipe(
  Command.withDescription("The ledger by months: archive old months, verify balances"),
  Command.withSubcommands([archive, verify])
)
