import { Command } from "effect/cli"
import { booleanFlag, textArgument } from "../../Parameters.ts"
import { data, databaseUrl, json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"
import { changesFlags } from "./ChangesFlags.ts"
import { dataDate, dataVersion, skipBadRows } from "./EditionFlags.ts"

const command = commandsOf(() => import("./importFiles.ts"))

export const importCommand = command(
  "import",
  "Load or replace the directory in the database; replicas take it up by themselves\n" +
    "  Every bad row is reported on standard error, and one is enough to refuse the files. What changes is shown before\n" +
    "  it comes into force, in one step. However it ends before, the directory that was in force stays so. If it would\n" +
    "  undo changes that were made since the last import, it asks on a terminal, and needs a flag elsewhere.",
  {
    path: textArgument("PATH", "Folder with places.csv and units.csv, or both as .csv.gz"),
    databaseUrl,
    data,
    dryRun: booleanFlag("dry-run", "Check all rows, show what would change, and write nothing"),
    skipBadRows,
    force: booleanFlag("force", "Import the files although they are in force already"),
    ifEmpty: booleanFlag("if-empty", "Do nothing where the database holds a directory already, whichever it is"),
    dataVersion,
    dataDate,
    ...changesFlags,
    json
  },
  ({ importFiles }) => importFiles
).pipe(
  Command.withShortDescription("Load or replace the directory in the database"),
  Command.withExamples([
    { command: "postcode import ./nigeria --database-url postgresql://postcode@db/postcode --dry-run" },
    { command: "postcode import ./nigeria --data ./data", description: "Into the folder of postcode serve --data" }
  ])
)
