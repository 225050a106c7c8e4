import { Command } from "effect/cli"
import { booleanFlag } from "../../Parameters.ts"
import { data, databaseUrl, json, postgresBin } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf } from "../commandsOf.ts"
import { allowRemovals } from "./AllowRemovals.ts"
import { changesFlags } from "./ChangesFlags.ts"

const revert = commandsOf(() => import("./revertEdition.ts"))(
  "revert",
  "Make the previous edition current again, in one step\n" +
    "  It works on the database, as postcode import does, and asks for confirmation. The replaced edition stays stored, so\n" +
    "  that you can return to it.",
  {
    databaseUrl,
    data,
    postgresBin,
    ...changesFlags,
    allowRemovals,
    yes: booleanFlag("yes", "Do not ask whether to revert"),
    json
  },
  ({ revertEdition }) => revertEdition
).pipe(
  Command.withShortDescription("Make the previous edition current again"),
  Command.withExamples([{ command: "postcode directory revert --database-url postgresql://postcode@db/postcode" }])
)

export const directory = managementCommandsOf(() => import("./showDirectory.ts"))(
  "directory",
  "Show the current directory: its version and its size",
  {},
  ({ showDirectory }) => showDirectory
).pipe(Command.withSubcommands([revert]))
