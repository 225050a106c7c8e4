/** `postcode enrich`. */
import { Command, Flag } from "effect/cli"
import {
  booleanFlag,
  decimal,
  optionalFlag,
  optionalText,
  repeatedFlag,
  text,
  textArgument,
  wholeNumber
} from "../../Parameters.ts"
import { accessLevel, formFlags, json, keyConnection } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

export const enrich = commandsOf(() => import("./enrichFile.ts"))(
  "enrich",
  "Add data of a service to the rows of a CSV file of any length; it can be stopped and resumed\n" +
    "  Rows are copied unchanged and in order, with columns after them. --level looks up postcodes. Its columns: status\n" +
    "  (valid, retired, not_found or malformed), canonical_postcode, reason, replaced_by, and those of the level.\n" +
    "  --address finds addresses. Its columns: code, precision, confidence, action, label and message. --lat and --lng\n" +
    "  find the nearest units. Their columns: status, postcode, distance_m, confidence, names and reason. All except\n" +
    "  level 1 need a secret API key, from POSTCODE_KEY or from postcode login. The same command continues after an\n" +
    "  interruption, a crash, or exit code 5, and charges no row twice. The file .progress beside the output records the\n" +
    "  progress.",
  {
    file: textArgument("FILE", "CSV as spreadsheets and databases write it, gzipped or not, or a workbook (.xlsx)"),
    level: optionalFlag("level", {
      read: accessLevel,
      metavar: "N",
      description: "Look postcodes up, at level 1 to 5: 2 adds addresses, 3 the use, 4 the building, 5 coordinates"
    }),
    column: optionalText(
      "column",
      "NAME|N",
      "The postcodes' column, by name or number; default: the one called postcode, zip or such"
    ),
    address: repeatedFlag("address", {
      read: text,
      metavar: "NAME|N",
      description:
        "Find the postcode of the address in this column; repeat the flag for each further part, such as the town"
    }),
    lat: optionalText("lat", "NAME|N", "Find the unit nearest to the coordinate in these columns: the latitude's"),
    lng: optionalText("lng", "NAME|N", "The longitude's"),
    maxDistance_m: optionalFlag("max-distance-m", {
      read: decimal(0, Number.POSITIVE_INFINITY, "metres, 0 or more"),
      metavar: "N",
      description: "How far the nearest unit may be, at most 250; default: 25"
    }),
    noHeader: booleanFlag("no-header", "The first row is data, too; then columns are numbers"),
    ...formFlags,
    output: optionalText(
      "output",
      "FILE",
      "The file to write, .csv or .xlsx; default: FILE with the ending .enriched.csv, or .xlsx for a workbook"
    ).pipe(Flag.withAlias("o")),
    limitCredits: optionalFlag("limit-credits", {
      read: wholeNumber(0, 1_000_000_000_000),
      metavar: "N",
      description: "Stop before more than N credits are charged for the file; a higher limit continues"
    }),
    ...keyConnection,
    json
  },
  ({ enrichFile }) => enrichFile
).pipe(
  Command.withShortDescription("Add data of a service to the rows of a CSV file, resumable"),
  Command.withExamples([
    { command: "postcode enrich customers.csv --level 2" },
    { command: "postcode enrich shops.csv --address street --address town" },
    { command: "postcode enrich parcels.csv --lat lat --lng lng --max-distance-m 100" },
    { command: "postcode enrich customers.csv.gz --level 4 --column zip -o buildings.csv" }
  ])
)
