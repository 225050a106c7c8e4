import { Effect } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, booleanFlag, text } from "../../Parameters.ts"
import { databaseUrl, json } from "../CommonFlags.ts"
import { dataDate, dataVersion, skipBadRows } from "./EditionFlags.ts"

export const importCommand = Command.make(
  "import",
  {
    path: argument("PATH", { read: text, description: "Folder with places.csv and units.csv, or both as .csv.gz" }),
    databaseUrl: databaseUrl.pipe(
      Flag.mapEffect((url) =>
        url === undefined ? Effect.fail(new CliError.MissingOption({ option: "database-url" })) : Effect.succeed(url)
      )
    ),
    dryRun: booleanFlag("dry-run", "Check all rows, show what would change, and write nothing"),
    skipBadRows,
    force: booleanFlag("force", "Import the files although they are in force already"),
    ifEmpty: booleanFlag("if-empty", "Do nothing where the database holds a directory already, whichever it is"),
    dataVersion,
    dataDate,
    json
  },
  (input) =>
    lazily(
      () => import("./importFiles.ts"),
      ({ importFiles }) => importFiles(input)
    )
).pipe(
  Command.withDescription(
    "Load or replace the directory in the database; replicas take it up by themselves\n" +
      "  Every bad row is reported on standard error, and one is enough to refuse the files. What changes is shown before\n" +
      "  it comes into force, in one step. However it ends before, the directory that was in force stays so."
  ),
  Command.withShortDescription("Load or replace the directory in the database"),
  Command.withExamples([
    { command: "postcode import ./nigeria --database-url postgresql://postcode@db/postcode --dry-run" }
  ])
)
