import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, booleanFlag, optionalFlag, text } from "../../Parameters.ts"
import { directory, json } from "../CommonFlags.ts"

export const validate = Command.make(
  "validate",
  {
    file: argument("FILE", { read: text, description: "CSV in UTF-8, gzipped or not; - reads standard input" }),
    column: optionalFlag("column", {
      read: text,
      metavar: "NAME|N",
      description: "The postcodes' column, by name or number; default: the one called postcode, zip or such"
    }),
    noHeader: booleanFlag("no-header", "The first row is data, too; then --column takes a number"),
    onlyBad: booleanFlag("only-bad", "Write only rows that are not valid"),
    directory,
    json,
    jsonLines: booleanFlag("json-lines", "Print one JSON value a line, for files of any length")
  },
  (input) =>
    lazily(
      () => import("./validateFile.ts"),
      ({ validateFile }) => validateFile(input)
    )
).pipe(
  Command.withDescription(
    "Check the postcodes in a CSV file of any length, offline\n" +
      "  Every row is written as it was, in its order, with four columns behind it: status (valid, retired, unknown or\n" +
      "  malformed), canonical_postcode, reason, and candidates: up to 3 active units that differ by one wrong character\n" +
      "  or two swapped. The counts go to standard error. Exit code 1 if any row is not valid."
  ),
  Command.withExamples([
    { command: "postcode validate customers.csv --column postcode > checked.csv" },
    { command: "postcode validate - --no-header --only-bad < codes.txt" }
  ])
)
