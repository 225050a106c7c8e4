import { Result } from "effect"
import { Command, Flag } from "effect/cli"
import { lazily } from "../Lazy.ts"
import { argument, optionalFlag, type Reader, requiredFlag, switchFlag, text } from "../Parameters.ts"
import { json } from "./CommonFlags.ts"

/** A day that there is. */
const day: Reader<string> = (given) => {
  const time = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN
  // A day that a month does not have is read as one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(given)
    ? Result.succeed(given)
    : Result.fail("a day such as 2026-01-31")
}

const build = Command.make(
  "build",
  {
    path: argument("PATH", { read: text, description: "Folder with places.csv and units.csv, or both as .csv.gz" }),
    output: requiredFlag("output", { read: text, metavar: "FILE", description: "The snapshot to be written" }).pipe(
      Flag.withAlias("o")
    ),
    force: switchFlag("force", "Replace the file if it is there"),
    skipBadRows: switchFlag(
      "skip-bad-rows",
      "Leave bad rows out and build all the same; a file that is not UTF-8 stays refused"
    ),
    dataVersion: optionalFlag("data-version", {
      read: text,
      metavar: "TEXT",
      description: "Which edition of the data this is; a hash of the files unless told"
    }),
    dataDate: optionalFlag("data-date", {
      read: day,
      metavar: "DATE",
      description: "The day of that edition, such as 2026-01-31; that of the newer file unless told"
    }),
    json
  },
  (input) =>
    lazily(
      () => import("../snapshot/buildSnapshot.ts"),
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
      () => import("../snapshot/showSnapshot.ts"),
      ({ showSnapshot }) => showSnapshot(input)
    )
).pipe(Command.withDescription("Show what a snapshot holds, and check that it is intact"))

export const snapshot = Command.make("snapshot").pipe(
  Command.withDescription("Directories as single files"),
  Command.withSubcommands([build, info])
)
