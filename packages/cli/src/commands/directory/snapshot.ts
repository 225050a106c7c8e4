import { Command, Flag } from "effect/cli"
import { booleanFlag, requiredText, textArgument } from "../../Parameters.ts"
import { json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"
import { dataDate, dataVersion, skipBadRows } from "./EditionFlags.ts"

const build = commandsOf(() => import("./buildSnapshot.ts"))(
  "build",
  "Build a snapshot of CSV files: one file that opens in a blink, wherever --directory is taken\n" +
    "  Every bad row is reported on standard error, and one is enough to refuse the files.",
  {
    path: textArgument("PATH", "Folder with places.csv and units.csv, or both as .csv.gz"),
    output: requiredText("output", "FILE", "The snapshot to be written").pipe(Flag.withAlias("o")),
    force: booleanFlag("force", "Replace the file if it is there"),
    addresses: booleanFlag(
      "addresses",
      "Add the names, streets and localities of all units for address search; the file then exposes them"
    ),
    skipBadRows,
    dataVersion,
    dataDate,
    json
  },
  ({ buildSnapshot }) => buildSnapshot
).pipe(
  Command.withShortDescription("Build a snapshot of CSV files"),
  Command.withExamples([{ command: "postcode snapshot build ./nigeria -o nigeria.snapshot --data-version 2026-1" }])
)

const info = commandsOf(() => import("./showSnapshot.ts"))(
  "info",
  "Show what a snapshot holds, and check that it is intact",
  { file: textArgument("FILE", "A snapshot"), json },
  ({ showSnapshot }) => showSnapshot
)

export const snapshot = Command.make("snapshot").pipe(
  Command.withDescription("Directories as single files"),
  Command.withSubcommands([build, info])
)
