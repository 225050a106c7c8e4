import { Command, Flag } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, booleanFlag, requiredFlag, text } from "../../Parameters.ts"
import { json } from "../CommonFlags.ts"
import { dataDate, dataVersion, skipBadRows } from "./EditionFlags.ts"

const build = Command.make(
  "build",
  {
    path: argument("PATH", { read: text, description: "Folder with places.csv and units.csv, or both as .csv.gz" }),
    output: requiredFlag("output", { read: text, metavar: "FILE", description: "The snapshot to be written" }).pipe(
      Flag.withAlias("o")
    ),
    force: booleanFlag("force", "Replace the file if it is there"),
    skipBadRows,
    dataVersion,
    dataDate,
    json
  },
  (input) =>
    lazily(
      () => import("./buildSnapshot.ts"),
      ({ buildSnapshot }) => buildSnapshot(input)
    )
).pipe(
  Command.withDescription(
    "Build a snapshot of CSV files: one file that opens in a blink, wherever --directory is taken\n" +
      "  Every bad row is reported on standard error, and one is enough to refuse the files."
  ),
  Command.withShortDescription("Build a snapshot of CSV files"),
  Command.withExamples([{ command: "postcode snapshot build ./nigeria -o nigeria.snapshot --data-version 2026-1" }])
)

const info = Command.make(
  "info",
  { file: argument("FILE", { read: text, description: "A snapshot" }), json },
  (input) =>
    lazily(
      () => import("./showSnapshot.ts"),
      ({ showSnapshot }) => showSnapshot(input)
    )
).pipe(Command.withDescription("Show what a snapshot holds, and check that it is intact"))

export const snapshot = Command.make("snapshot").pipe(
  Command.withDescription("Directories as single files"),
  Command.withSubcommands([build, info])
)
