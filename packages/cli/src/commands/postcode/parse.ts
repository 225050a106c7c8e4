import { Argument, Command } from "effect/cli"
import { json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./parseCodes.ts"))

export const parse = command(
  "parse",
  "Check postcodes and write them in their canonical form, without any data",
  {
    codes: Argument.String("CODE").pipe(
      Argument.withDescription("Postcodes in any format; - reads them from standard input, one a line"),
      Argument.atLeast(1)
    ),
    json
  },
  ({ parseCodes }) => parseCodes
).pipe(
  Command.withExamples([
    { command: 'postcode parse LA12A03BG07 "la 12 a03 bg 07"' },
    { command: "postcode parse - --json < codes.txt" }
  ])
)
