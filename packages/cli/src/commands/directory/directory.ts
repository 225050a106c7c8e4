import { Command } from "effect/cli"
import { booleanFlag } from "../../Parameters.ts"
import { data, databaseUrl, json } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf } from "../commandsOf.ts"
import { changesFlags } from "./ChangesFlags.ts"

const revert = commandsOf(() => import("./revertEdition.ts"))(
  "revert",
  "Make the edition before the current one current again, in one step\n" +
    "  It works on the database, as postcode import does, and asks first. The edition that is left stays stored, so that\n" +
    "  this can be reverted, too.",
  {
    databaseUrl,
    data,
    ...changesFlags,
    yes: booleanFlag("yes", "Do not ask"),
    json
  },
  ({ revertEdition }) => revertEdition
).pipe(
  Command.withShortDescription("Make the edition before the current one current again"),
  Command.withExamples([{ command: "postcode directory revert --database-url postgresql://postcode@db/postcode" }])
)

export const directory = managementCommandsOf(() => import("./showDirectory.ts"))(
  "directory",
  "Show the current directory and its size",
  {},
  ({ showDirectory }) => showDirectory
).pipe(Command.withSubcommands([revert]))
