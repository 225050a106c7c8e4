/** `postcode backup`, `archive` and `restore`. */
import { Result } from "effect"
import { Command, Flag } from "effect/cli"
import {
  booleanFlag,
  list,
  optionalFlag,
  optionalText,
  type Reader,
  requiredFlag,
  requiredText,
  text,
  textArgument,
  wholeNumber
} from "../../Parameters.ts"
import { json, postgresBin } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const data = requiredFlag("data", {
  read: text,
  metavar: "DIR",
  description: "Folder of the embedded PostgreSQL, as of postcode serve --data",
  environment: "POSTCODE_DATA"
})

const recipient: Reader<string> = (given) =>
  /^age1[02-9ac-hj-np-z]{58}$/.test(given)
    ? Result.succeed(given)
    : Result.fail("a public key of age: age1 and 58 characters")

const recipients = optionalFlag("recipient", {
  read: list(recipient),
  metavar: "LIST",
  description: "Encrypt to these public keys of age: age1…; default: not encrypted",
  environment: "POSTCODE_BACKUP_RECIPIENT"
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
    recipient: recipients,
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

export const archive = commandsOf(() => import("./archiveData.ts"))(
  "archive",
  "Archive the write-ahead log of a data folder, each second, until SIGTERM\n" +
    "  A backup can then be restored to any second after it, and a lost disk costs the last second. The folder is that of\n" +
    "  the backups, on another disk; the log is in its folder wal.",
  {
    data,
    folder: requiredText("folder", "DIR", "Existing folder on another disk, as of postcode backup"),
    recipient: recipients
  },
  ({ archiveData }) => archiveData
).pipe(
  Command.withShortDescription("Archive the write-ahead log of a data folder"),
  Command.withExamples([{ command: "postcode archive --data ./data --folder /mnt/backups" }])
)

/** A moment, or the end of the log. */
const moment: Reader<string> = (given) => {
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(given)
  return given === "latest" || (isTime && !Number.isNaN(Date.parse(given)))
    ? Result.succeed(given)
    : Result.fail("a time with its zone, such as 2026-11-24T09:30:00Z, or latest")
}

export const restore = commandsOf(() => import("./restoreData.ts"))(
  "restore",
  "Restore a backup into a data folder that is empty or missing\n" +
    "  The checksum of every file is verified before the folder can be used.",
  {
    file: textArgument("FILE", "A backup"),
    data,
    until: optionalFlag("until", {
      read: moment,
      metavar: "TIME",
      description:
        "Recover with the archived log to a time, 2026-11-24T09:30:00Z, or latest; default: the state of the backup"
    }),
    wal: optionalText("wal", "DIR", "With --until: the folder of the archived log; default: wal beside the backup"),
    identity: optionalText("identity", "FILE", "The private key of encrypted files, as age-keygen writes it"),
    postgresBin,
    json
  },
  ({ restoreData }) => restoreData
).pipe(
  Command.withShortDescription("Restore a backup into an empty data folder"),
  Command.withExamples([
    { command: "postcode restore postcode-2026-11-24.backup --data ./restored" },
    {
      command:
        "postcode restore /mnt/backups/postcode-2026-11-24T020000Z.backup --data ./restored --until 2026-11-24T09:30:00Z"
    }
  ])
)
