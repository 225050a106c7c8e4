import { Argument, Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { json } from "../CommonFlags.ts"

export const parse = Command.make(
  "parse",
  {
    codes: Argument.String("CODE").pipe(
      Argument.withDescription("Postcodes in any format; - reads them from standard input, one a line"),
      Argument.atLeast(1)
    ),
    json
  },
  (input) =>
    lazily(
      () => import("./parseCodes.ts"),
      ({ parseCodes }) => parseCodes(input)
    )
).pipe(
  Command.withDescription("Check postcodes and write them in their canonical form, without any data"),
  Command.withExamples([
    { command: 'postcode parse LA12A03BG07 "la 12 a03 bg 07"' },
    { command: "postcode parse - --json < codes.txt" }
  ])
)
