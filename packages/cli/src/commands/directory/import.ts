import { Command } from "effect/cli"
import { booleanFlag, textArgument } from "../../Parameters.ts"
import { data, databaseUrl, json, postgresBin } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"
import { allowRemovals } from "./AllowRemovals.ts"
import { changesFlags } from "./ChangesFlags.ts"
import { checkFlags } from "./CheckFlags.ts"
import { dataDate, dataVersion, skipBadRows } from "./EditionFlags.ts"
import { readingFlags } from "./ReadingFlags.ts"

const command = commandsOf(() => import("./importFiles.ts"))

export const importCommand = command(
  "import",
  "Load or replace the directory in the database; replicas load it automatically\n" +
    "  Bad rows are reported on standard error, and one is enough to refuse the files. The command shows what changes,\n" +
    "  and then makes the new edition current in one step. If it ends before that step, the old edition stays current. If\n" +
    "  the import would undo changes that were made since the last one, the command asks on a terminal; elsewhere it needs\n" +
    "  --keep-changes or --drop-changes. If it would remove, retire or move (by more than 1 km) more than 1 % of the active\n" +
    "  units, it asks for their number on a terminal; elsewhere it needs --allow-removals.",
  {
    path: textArgument("PATH", "Folder with places.csv and units.csv, or both as .csv.gz"),
    databaseUrl,
    data,
    postgresBin,
    dryRun: booleanFlag("dry-run", "Check all rows, show what would change, and write nothing"),
    preview: booleanFlag(
      "preview",
      "Show the columns, ten rows as they would be read, and the warnings; needs no database, and writes nothing"
    ),
    skipBadRows,
    ...readingFlags,
    ...checkFlags,
    force: booleanFlag("force", "Import the files although their edition is current already"),
    ifEmpty: booleanFlag("if-empty", "Do nothing if the database holds a directory already"),
    dataVersion,
    dataDate,
    ...changesFlags,
    allowRemovals,
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
