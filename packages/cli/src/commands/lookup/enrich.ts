/** `postcode enrich`. */
import { Command, Flag } from "effect/cli"
import { booleanFlag, optionalText, requiredFlag, textArgument } from "../../Parameters.ts"
import { accessLevel, connection, json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

export const enrich = commandsOf(() => import("./enrichFile.ts"))(
  "enrich",
  "Add what a service knows of the postcodes in a CSV file of any length; it can be stopped and resumed\n" +
    "  Every row is written as it was, in its order, with columns behind it: status (valid, retired, not_found or\n" +
    "  malformed), canonical_postcode, reason, replaced_by, and those of the level. POSTCODE_KEY holds the secret API key. The same command\n" +
    "  again goes on after an interruption, a crash, or exit code 5, and charges no row twice. Beside the output lies\n" +
    "  a file .progress, which says how far it is.",
  {
    file: textArgument("FILE", "CSV in UTF-8, gzipped or not"),
    level: requiredFlag("level", {
      read: accessLevel,
      metavar: "N",
      description: "The level of the lookups, 1 to 5: 2 adds addresses, 3 the use, 4 the building, 5 coordinates"
    }),
    column: optionalText(
      "column",
      "NAME|N",
      "The postcodes' column, by name or number; default: the one called postcode, zip or such"
    ),
    noHeader: booleanFlag("no-header", "The first row is data, too; then columns are numbers"),
    output: optionalText("output", "FILE", "The file to write; default: FILE with the ending .enriched.csv").pipe(
      Flag.withAlias("o")
    ),
    url: connection.url,
    json
  },
  ({ enrichFile }) => enrichFile
).pipe(
  Command.withShortDescription("Add what a service knows of the postcodes in a CSV file, resumable"),
  Command.withExamples([
    { command: "POSTCODE_KEY=… postcode enrich customers.csv --level 2" },
    { command: "POSTCODE_KEY=… postcode enrich customers.csv.gz --level 4 --column zip -o buildings.csv" }
  ])
)
