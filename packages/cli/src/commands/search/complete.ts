import { Command } from "effect/cli"
import { anyText, argument } from "../../Parameters.ts"
import { directory, json, limit } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./searchDirectory.ts"))

export const complete = command(
  "complete",
  "Complete a partial postcode or a name, offline",
  {
    q: argument("Q", { read: anyText, description: "The start of a postcode, or of a state's or LGA's name" }),
    limit,
    directory,
    json
  },
  ({ completeText }) => completeText
).pipe(Command.withExamples([{ command: "postcode complete LA1" }, { command: 'postcode complete "LA ike"' }]))
