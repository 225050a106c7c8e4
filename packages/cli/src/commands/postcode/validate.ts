import { Command, Flag } from "effect/cli"
import { booleanFlag, optionalText, repeatedFlag, text, textArgument } from "../../Parameters.ts"
import { directoryFlags, formFlags, json, lenient } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./validateFile.ts"))

export const validate = command(
  "validate",
  "Check the postcodes and find the addresses in a CSV file of any length, offline\n" +
    "  Rows are copied unchanged and in order, with columns after them. For postcodes: status (valid, retired,\n" +
    "  not_found or malformed), canonical_postcode, reason, candidates (up to 3 active units that differ by one wrong\n" +
    "  character or two swapped), and replaced_by (the successor of a retired unit). For addresses: code, precision,\n" +
    "  confidence, action (accept, confirm or ask), label and message. A row with both has agrees: yes or no. The counts\n" +
    "  go to standard error. Exit code 1 means that a postcode is not valid or does not agree with its address, or that\n" +
    "  the action of a row without a postcode is not accept.",
  {
    file: textArgument(
      "FILE",
      "CSV as spreadsheets and databases write it, gzipped or not, or a workbook (.xlsx); - reads standard input"
    ),
    column: optionalText(
      "column",
      "NAME|N",
      "The postcodes' column, by name or number; default: the one called postcode, zip or such"
    ),
    address: repeatedFlag("address", {
      read: text,
      metavar: "NAME|N",
      description: "A column of the addresses; repeat the flag for each further part, such as the town"
    }),
    ...formFlags,
    noHeader: booleanFlag("no-header", "The first row is data, too; then columns are numbers"),
    lenient,
    output: optionalText(
      "output",
      "FILE",
      "Write the rows to a new file, .csv or .xlsx; default: standard output"
    ).pipe(Flag.withAlias("o")),
    force: booleanFlag("force", "Replace the file of --output if it exists"),
    onlyBad: booleanFlag("only-bad", "Write only rows that need a review"),
    ...directoryFlags,
    json,
    jsonLines: booleanFlag("json-lines", "Print one JSON value a line, for files of any length")
  },
  ({ validateFile }) => validateFile
).pipe(
  Command.withShortDescription("Check the postcodes and find the addresses in a CSV file of any length, offline"),
  Command.withExamples([
    { command: "postcode validate customers.xlsx --output checked.xlsx" },
    { command: "postcode validate customers.csv --column postcode > checked.csv" },
    { command: "postcode validate shops.csv --address street --address town --directory nigeria.snapshot" },
    { command: "postcode validate - --no-header --only-bad < codes.txt" }
  ])
)
