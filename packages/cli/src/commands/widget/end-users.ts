import { parse } from "@postcode/core/Postcode"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Result } from "effect"
import { Command } from "effect/cli"
import {
  booleanFlag,
  flag,
  optionalArgument,
  optionalText,
  type Reader,
  repeatedFlag,
  text,
  textArgument
} from "../../Parameters.ts"
import { connection, json, sheet } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./manageEndUsers.ts"))

/** Identifiers are never arguments: the process list and the shell's history would show them. */
const identifiers = flag("identifiers", {
  read: text,
  metavar: "FILE",
  description: "File with the identifiers; - or nothing reads standard input",
  fallback: "-"
})

const endUserId: Reader<string> = (given) =>
  /^usr_[0-9A-Za-z]{1,60}$/.test(given)
    ? Result.succeed(given)
    : Result.fail("an end user's id, usr_…; a NIN or email address is read from standard input or --identifiers FILE")

const id = optionalArgument("ID", {
  read: endUserId,
  description: "An end user's id, usr_…; without it an identifier is read",
  // The argument may be an identifier.
  secret: true
})

const bookmark: Reader<Bookmark> = (given) => {
  const [code = "", ...label] = given.split("=")
  const parsed = parse(code)
  if (label.length === 0) return Result.fail("a postcode and a label with = between them, as LA-12-A03-BG-07=Home")
  return parsed.ok
    ? Result.succeed({ postcode: parsed.postcode, label: label.join("=") })
    : Result.fail(`a postcode before the =; ${parsed.error.message}`)
}

const bookmarks = repeatedFlag("bookmark", {
  read: bookmark,
  metavar: "POSTCODE=LABEL",
  description: "A saved postcode of the end user; repeat the flag for each one, in order",
  secret: true
})

const save = command(
  "save",
  "Save an end user: identifiers from a file or standard input, and bookmarks\n" +
    "  Identifiers are 11-digit NINs and email addresses, up to 10, with spaces or line ends between them. An end\n" +
    "  user that has one of them is replaced, with all identifiers and bookmarks.",
  { identifiers, bookmarks, noBookmarks: booleanFlag("no-bookmarks", "Save the end user without bookmarks") },
  ({ saveEndUser }) => saveEndUser
).pipe(
  Command.withShortDescription("Save an end user: identifiers from a file or standard input, and bookmarks"),
  Command.withExamples([
    { command: 'postcode end-users save --bookmark "LA11B03PD01=Home" --bookmark "LA-12-A03-BG-07=Work" < person.txt' }
  ])
)

const show = command(
  "show",
  "Show an end user, found by one identifier or the id: how many identifiers, and the bookmarks",
  { id, identifiers },
  ({ showEndUser }) => showEndUser
).pipe(Command.withExamples([{ command: "postcode end-users show < email.txt" }]))

const remove = command(
  "remove",
  "Delete an end user with all bookmarks and hashes; this cannot be undone",
  { id, identifiers },
  ({ removeEndUser }) => removeEndUser
).pipe(Command.withExamples([{ command: "postcode end-users remove < email.txt" }]))

const count = command("count", "Count the end users", {}, ({ countEndUsers }) => countEndUsers)

const importCommand = commandsOf(() => import("./importEndUsers.ts"))(
  "import",
  "Save the end users of a CSV file of up to 2 million rows\n" +
    "  The first row names the columns: identifier, postcode, label; others are ignored. A row is a bookmark. Rows of\n" +
    "  one end user follow each other; a field can have several identifiers, with spaces between them. The first bad\n" +
    "  rows are reported with their lines, and all by their reasons; one is enough to refuse the file. After an interruption, run the command again.",
  {
    file: textArgument("FILE", "CSV, gzipped or not, or a workbook (.xlsx); - reads standard input"),
    sheet,
    dryRun: booleanFlag("dry-run", "Check all rows and send nothing to the service"),
    skipBadRows: booleanFlag("skip-bad-rows", "Leave bad rows out instead of refusing the file"),
    badRows: optionalText("bad-rows", "FILE", "Write the line and the reason of every bad row to a CSV file"),
    ...connection,
    json
  },
  ({ importEndUsers }) => importEndUsers
).pipe(
  Command.withShortDescription("Save the end users of a CSV file of up to 2 million rows"),
  Command.withExamples([
    { command: "postcode end-users import people.csv --dry-run" },
    { command: "postcode end-users import people.csv.gz" }
  ])
)

export const endUsers = Command.make("end-users").pipe(
  Command.withDescription("End users: whose bookmarks the widget shows"),
  Command.withSubcommands([save, show, remove, count, importCommand])
)
