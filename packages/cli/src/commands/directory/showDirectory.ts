/** `postcode directory`. */

import type { DataOf } from "@postcode/client"
import { formatVersion } from "@postcode/core/Directory"
import { printable, writeData } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Work } from "../commandsOf.ts"

/** Prints the service's current directory, and for operators its warnings. */
export const showDirectory: Work<object> = (_, options) =>
  Effect.gen(function* () {
    const directory = yield* request(options, "GET /v1/admin/directory", {})
    yield* printRecord(options, directory, fields)
    const { warnings = [] } = directory
    if (!options.json && warnings.length > 0) yield* writeData(`\n${warnings.map(describeWarning).join("\n")}\n`)
  })

type Description = DataOf<"GET /v1/admin/directory">

const fields: View<Description> = {
  version: ({ changes, version }) => formatVersion({ edition: version, changes }),
  edition: "version",
  changes: ({ changes }) => grouped(changes),
  date: "date",
  "current since": "current_since",
  "active units": ({ active_units }) => grouped(active_units),
  "retired units": ({ retired_units }) => grouped(retired_units),
  states: ({ states }) => grouped(states),
  LGAs: ({ lgas }) => grouped(lgas),
  districts: ({ districts }) => grouped(districts),
  areas: ({ areas }) => grouped(areas),
  warnings: ({ warnings }) => warnings && grouped(warnings.reduce((sum, { count }) => sum + count, 0))
}

/** The kind, and its first rows below it. */
const describeWarning = ({ count, first, kind, meaning }: NonNullable<Description["warnings"]>[number]): string =>
  [
    `${grouped(count)} ${kind}: ${meaning}`,
    ...first.map(({ detail, line, postcode }) => {
      const unit = postcode === undefined ? [] : [`line ${line}`, postcode]
      return `  ${printable([...unit, ...(detail === "" ? [] : [detail])].join("  "))}`
    }),
    ...(count > first.length ? [`  and ${grouped(count - first.length)} more`] : [])
  ].join("\n")
