/** The directory that files are validated against, and what a validation adds to them. */
import { smallDirectory } from "@postcode/drills/TemporaryFolder"

const units = ["08,6.6,3.35,active,,,,,,,", "19,6.6,3.35,retired,,,,,,,LA-12-A03-BG-30", "30,6.6,3.35,active,,,,,,,"]

/** The file with an additional column. */
const [header, ...rows] = smallDirectory["units.csv"].trimEnd().split("\n")

/** Three active units, and one that is retired and replaced. */
export const validationDirectory = {
  "places.csv": smallDirectory["places.csv"],
  "units.csv": [
    `${header},replaced_by`,
    ...rows.map((row) => `${row},`),
    ...units.map((unit) => `LA-12-A03-BG-${unit}`),
    ""
  ].join("\n")
}

/** The header of the columns that are added. */
export const addedColumns = "status,canonical_postcode,reason,candidates,replaced_by"
