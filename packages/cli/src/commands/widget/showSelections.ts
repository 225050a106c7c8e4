/** `postcode orgs selections`. */
import type { DataOf, InputOf } from "@postcode/client"
import { csvCell, csvLine } from "@postcode/core/Csv"
import { grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { writeCsv } from "../../management/CsvExport.ts"
import { request } from "../../management/connect.ts"
import { printTable } from "../../terminal/Print.ts"
import type { Id, Work } from "../commandsOf.ts"

const route = "GET /v1/admin/organizations/:id/selections"

type Row = DataOf<typeof route>["selections"][number]

/** Prints counts of selections, or writes them as CSV. */
export const showSelections: Work<InputOf<typeof route>["query"] & Id & { readonly csv: string | undefined }> = (
  { csv, id, ...query },
  options
) =>
  Effect.gen(function* () {
    const data = yield* request(options, route, { params: { id }, query })
    if (csv !== undefined)
      return yield* writeCsv(csv, csvLine(selectionColumns) + data.selections.map(selectionLine).join(""))
    yield* printTable(options, data, data.selections, {
      columns: {
        DAY: "date",
        LGA: "lga",
        NAME: "lga_name",
        SOURCE: ({ source }) => source ?? "unknown",
        SELECTIONS: { right: ({ selections }) => grouped(selections) }
      },
      empty: `no LGA had five ${query.environment} selections of one source on a day of that time`
    })
  })

/** The columns of counts of selections as CSV. */
export const selectionColumns = ["date", "lga", "lga_name", "source", "selections"] as const satisfies ReadonlyArray<
  keyof Row
>

/** A row as CSV. */
export const selectionLine = (row: Row): string => csvLine(selectionColumns.map((column) => csvCell(row[column])))
