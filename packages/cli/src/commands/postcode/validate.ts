import { Command } from "effect/cli"
import { booleanFlag, optionalText, textArgument } from "../../Parameters.ts"
import { directory, json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./validateFile.ts"))

export const validate = command(
  "validate",
  "Check the postcodes in a CSV file of any length, offline\n" +
    "  Every row is written as it was, in its order, with four columns behind it: status (valid, retired, unknown or\n" +
    "  malformed), canonical_postcode, reason, and candidates: up to 3 active units that differ by one wrong character\n" +
    "  or two swapped. The counts go to standard error. Exit code 1 if any row is not valid.",
  {
    file: textArgument("FILE", "CSV in UTF-8, gzipped or not; - reads standard input"),
    column: optionalText(
      "column",
      "NAME|N",
      "The postcodes' column, by name or number; default: the one called postcode, zip or such"
    ),
    noHeader: booleanFlag("no-header", "The first row is data, too; then --column takes a number"),
    onlyBad: booleanFlag("only-bad", "Write only rows that are not valid"),
    directory,
    json,
    jsonLines: booleanFlag("json-lines", "Print one JSON value a line, for files of any length")
  },
  ({ validateFile }) => validateFile
).pipe(
  Command.withExamples([
    { command: "postcode validate customers.csv --column postcode > checked.csv" },
    { command: "postcode validate - --no-header --only-bad < codes.txt" }
  ])
)
