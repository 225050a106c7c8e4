import { Argument, Command } from "effect/cli"
import { directoryFlags, json, lenient } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./parseCodes.ts"))

export const parse = command(
  "parse",
  "Check the form of postcodes and write them in canonical format; the directory is only used for corrections",
  {
    codes: Argument.String("CODE").pipe(
      Argument.withDescription("Postcodes in any format; - reads them from standard input, one a line"),
      Argument.atLeast(1)
    ),
    lenient,
    ...directoryFlags,
    json
  },
  ({ parseCodes }) => parseCodes
).pipe(
  Command.withExamples([
    { command: 'postcode parse LA12A03BG07 "la 12 a03 bg 07"' },
    { command: "postcode parse - --json < codes.txt" },
    { command: "postcode parse LA-12-A03-8G-O7 --lenient" }
  ])
)
