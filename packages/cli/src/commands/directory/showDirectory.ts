/** `postcode directory`. */
import { formatVersion } from "@postcode/core/Directory"
import { grouped } from "@postcode/server/process/Progress"
import { printResponse } from "../../management/printResponse.ts"
import type { Work } from "../commandsOf.ts"

/** Prints the service's current directory. */
export const showDirectory: Work<object> = (_, options) =>
  printResponse(
    options,
    "GET /v1/admin/directory",
    {},
    {
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
      areas: ({ areas }) => grouped(areas)
    }
  )
