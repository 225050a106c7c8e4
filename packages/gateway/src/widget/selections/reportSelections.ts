/** Reports how many postcodes were picked in an organization's widget, by day, LGA and source. */

import type { Environment } from "@postcode/core/Credits"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { Effect } from "effect"
import { type InsufficientScope, InvalidParameter, type NotFound, type Unavailable } from "../../Errors.ts"
import { type Manager, permitOn } from "../../ManagementAccess.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { reportDays } from "../../usage/reportDays.ts"
import { type DailySelections, Selections } from "./Selections.ts"

/** Organization and range of days. */
export interface SelectionsRequest {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, `2026-01-31` in UTC, both included; by default the last 30 days. */
  readonly from: string | undefined
  readonly to: string | undefined
}

/** A row of the report. */
export interface SelectionsReport extends DailySelections {
  /** Absent if the LGA has no name. */
  readonly lga_name?: string
}

/**
 * Rows with fewer selections are left out, so that a report does not show what a single person picked. There are no sums
 * over rows, which would reveal them.
 */
export const minSelections = 5

/** Maximum number of rows per report. */
const maxRows = 50_000

/**
 * Rows as returned by `Selections.daily`. Fails with `InvalidParameter` if the days or rows exceed the maximum.
 *
 * @param directory names the LGAs
 */
export const reportSelections: Effect.Effect<
  (
    request: SelectionsRequest,
    directory: Directory,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<SelectionsReport>, InsufficientScope | InvalidParameter | NotFound | Unavailable>,
  never,
  Organizations | Selections
> = Effect.gen(function* () {
  const organizations = yield* Organizations
  const selections = yield* Selections

  return Effect.fnUntraced(function* ({ environment, from, organization_id, to }, directory, manager) {
    yield* permitOn(manager, "selections", organization_id)
    const days = yield* reportDays({ from, to })
    yield* organizations.get(organization_id)
    const query = { organization_id, environment, ...days, min: minSelections, limit: maxRows + 1 }
    const rows = yield* selections.daily(query)
    if (rows.length > maxRows) return yield* tooManyRows
    return rows.map((row) => {
      const { lga_name } = directory.placeNames(`${row.lga}-000-AA-00` as Postcode)
      return lga_name === undefined ? row : { ...row, lga_name }
    })
  })
})

const tooManyRows = new InvalidParameter({
  parameter: "from",
  message: `from: these days have more than ${maxRows} rows: request fewer days`
})
