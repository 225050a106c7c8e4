import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { anyText, argument } from "../../Parameters.ts"
import { directory, json, limit } from "../CommonFlags.ts"

export const complete = Command.make(
  "complete",
  {
    q: argument("Q", { read: anyText, description: "The start of a postcode, or of a state's or LGA's name" }),
    limit,
    directory,
    json
  },
  (input) =>
    lazily(
      () => import("./searchDirectory.ts"),
      ({ completeText }) => completeText(input)
    )
).pipe(
  Command.withDescription("Complete a partial postcode or a name, offline"),
  Command.withExamples([{ command: "postcode complete LA1" }, { command: 'postcode complete "LA ike"' }])
)
