/** The directory that files are validated against, and what a validation adds to them. */
import { smallDirectory } from "../TemporaryFolder.ts"

const units = ["08,6.6,3.35,active", "19,6.6,3.35,retired", "30,6.6,3.35,active"]

/** Three active units and one that is retired. */
export const validationDirectory = {
  "places.csv": smallDirectory["places.csv"],
  "units.csv": smallDirectory["units.csv"] + units.map((unit) => `LA-12-A03-BG-${unit},,,,,,\n`).join("")
}

/** The header of the columns that are added. */
export const addedColumns = "status,canonical_postcode,reason,candidates"
