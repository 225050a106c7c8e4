/** `postcode units show`: a unit with all that is known of it, and its history. */
import type { DataOf } from "@postcode/client"
import { attributeNames } from "@postcode/core/UnitAttributes"
import { say, writeData, writeJson } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { recordText, tableText } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Work } from "../commandsOf.ts"

export const showUnit: Work<{ readonly postcode: string }> = ({ postcode }, options) =>
  Effect.gen(function* () {
    const unit = yield* request(options, "GET /v1/admin/directory/units/:postcode", { params: { postcode } })
    if (options.json) return yield* writeJson(unit)
    if (unit.unit === null) say("the current directory does not have this unit")
    yield* writeData(recordText(facts, unit))
    if (unit.history.length > 0) yield* writeData(`\n${tableText(events, unit.history)}`)
  })

type Details = DataOf<"GET /v1/admin/directory/units/:postcode">
type Event = Details["history"][number]

const attributes: View<Details> = Object.fromEntries(
  attributeNames.map((name) => [
    name.replaceAll("_", " "),
    ({ unit }: Details) => {
      const value = unit?.attributes[name]
      return typeof value === "boolean" ? String(value) : value
    }
  ])
)

const facts: View<Details> = {
  postcode: "postcode",
  status: ({ unit }) => unit?.status,
  "replaced by": ({ unit }) => unit?.replaced_by,
  lat: ({ unit }) => unit?.point_geometry.coordinates[1],
  lng: ({ unit }) => unit?.point_geometry.coordinates[0],
  ...attributes
}

const events: View<Event> = {
  AT: "at",
  VERSION: "version",
  CHANGE: "change",
  STATUS: "status",
  "REPLACED BY": "replaced_by",
  LAT: { right: ({ point_geometry }) => point_geometry.coordinates[1] },
  LNG: { right: ({ point_geometry }) => point_geometry.coordinates[0] },
  WHO: "actor",
  REASON: "reason",
  REFERENCE: "reference"
}
