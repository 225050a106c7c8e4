import { Command, Flag } from "effect/cli"
import { booleanFlag, optionalFlag, requiredText, textArgument, wholeNumber } from "../../../Parameters.ts"
import { json, keyConnection } from "../../CommonFlags.ts"
import { commandsOf } from "../../commandsOf.ts"
import { allowRemovals } from "../AllowRemovals.ts"
import { checkFlags } from "../CheckFlags.ts"
import { dataDate, dataVersion, skipBadRows } from "../EditionFlags.ts"
import { readingFlags } from "../ReadingFlags.ts"

const build = commandsOf(() => import("./buildSnapshot.ts"))(
  "build",
  "Build a snapshot of CSV files: one file that opens in milliseconds, for every --directory\n" +
    "  Bad rows are reported on standard error, and one is enough to refuse the files.",
  {
    path: textArgument("PATH", "Folder with places.csv and units.csv, or both as .csv.gz"),
    output: requiredText("output", "FILE", "The snapshot to write").pipe(Flag.withAlias("o")),
    force: booleanFlag("force", "Replace the file if it exists"),
    addresses: booleanFlag(
      "addresses",
      "Add the names, streets and localities of all units for address search; the file then exposes them"
    ),
    skipBadRows,
    ...readingFlags,
    ...checkFlags,
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

const follow = commandsOf(() => import("./followSnapshot.ts"))(
  "follow",
  "Bring a snapshot to the version of a service, by the changes since the snapshot's version\n" +
    "  It needs an API key: the one in POSTCODE_KEY, or the one that postcode login stored. The file is replaced once all\n" +
    "  changes are applied, and stays as it was if anything fails. Without --coordinates it is free: units are retired and\n" +
    "  reactivated and get their successors, but new units are left out, and moved units stay where they were; the command\n" +
    "  reports how many. Addresses do not change. If the changes remove, retire or move (by more than 1 km) more than 1 % of\n" +
    "  the active units, the command asks for their number on a terminal; elsewhere it needs --allow-removals.",
  {
    file: textArgument("FILE", "A snapshot of the edition that the service has"),
    coordinates: booleanFlag(
      "coordinates",
      "Add new units and move moved ones; needs a key of level 5, and costs a lookup for each of these units"
    ),
    maxCredits: optionalFlag("max-credits", {
      read: wholeNumber(0, 1_000_000_000),
      metavar: "N",
      description: "The most that --coordinates may cost in this run; default: no limit"
    }),
    watch: booleanFlag("watch", "Continue until the command is interrupted, and replace the file at each new version"),
    allowRemovals,
    ...keyConnection,
    json
  },
  ({ followSnapshot }) => followSnapshot
).pipe(
  Command.withShortDescription("Bring a snapshot to the version of a service"),
  Command.withExamples([
    { command: "postcode snapshot follow nigeria.snapshot" },
    { command: "postcode snapshot follow nigeria.snapshot --coordinates --max-credits 5000 --watch" }
  ])
)

export const snapshot = Command.make("snapshot").pipe(
  Command.withDescription("Directories as single files"),
  Command.withSubcommands([build, info, follow])
)
