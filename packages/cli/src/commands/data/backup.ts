/** `postcode backup` and `postcode restore`. */
import { Command, Flag } from "effect/cli"
import { booleanFlag, optionalFlag, optionalText, requiredFlag, text, textArgument, wholeNumber } from "../../Parameters.ts"
import { json, postgresBin } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const data = requiredFlag("data", {
  read: text,
  metavar: "DIR",
  description: "Folder of the embedded PostgreSQL, as of postcode serve --data",
  environment: "POSTCODE_DATA"
})

export const backup = commandsOf(() => import("./backUpData.ts"))(
  "backup",
  "Back up a data folder into one file, also while the service runs\n" +
    "  The file contains everything that the service confirmed before the command began, and the secrets of the service:\n" +
    "  only you can read it. It gets its name when it is on the disk and every file in it was read back and verified.",
  {
    data,
    postgresBin,
    output: optionalText("output", "FILE", "The backup to write").pipe(Flag.withAlias("o")),
    folder: optionalFlag("folder", {
      read: text,
      metavar: "DIR",
      description: "Existing folder for a new file, which is named after the time; instead of --output"
    }),
    keep: optionalFlag("keep", {
      read: wholeNumber(1, 1_000),
      metavar: "N",
      description: "With --folder: backups of this data to keep there, the new one included; default: all"
    }),
    force: booleanFlag("force", "Replace the file if it exists"),
    json
  },
  ({ backUpData }) => backUpData
).pipe(
  Command.withShortDescription("Back up a data folder into one file"),
  Command.withExamples([
    { command: "postcode backup --data ./data -o postcode-2026-11-24.backup" },
    { command: "postcode backup --data ./data --folder /mnt/backups --keep 14", description: "Daily, from a timer" }
  ])
)

export const restore = commandsOf(() => import("./restoreData.ts"))(
  "restore",
  "Restore a backup into a data folder that is empty or missing\n" +
    "  The checksum of every file is verified before the folder can be used.",
  { file: textArgument("FILE", "A backup"), data, postgresBin, json },
  ({ restoreData }) => restoreData
).pipe(
  Command.withShortDescription("Restore a backup into an empty data folder"),
  Command.withExamples([{ command: "postcode restore postcode-2026-11-24.backup --data ./restored" }])
)
