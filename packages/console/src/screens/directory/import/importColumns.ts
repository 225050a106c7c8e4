import { attributeEntry, attributeNames } from "@postcode/core/UnitAttributes"

const attributes = (kind: "required" | "optional") =>
  attributeNames.filter((name) => attributeEntry(name).column === kind)

/** The columns of units in the order of the service, without its reader of files. */
export const importColumns: ReadonlyArray<string> = [
  "postcode",
  "lat",
  "lon",
  "status",
  ...attributes("required"),
  "replaced_by",
  ...attributes("optional")
]
