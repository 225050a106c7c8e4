/** A whole list of the service, for screens that need all rows. */
import type { DataOf, InputOf } from "../client/Contract.ts"
import { pagesOf } from "./pagesOf.ts"
import { callKey, type Loaded, useWork } from "./useLoad.ts"
import type { PagedRoute } from "./usePages.ts"

/**
 * The rows, as far as they are loaded.
 *
 * @param input without `cursor` and `limit`
 * @param rowsOf the rows of a page
 */
export const useAllPages = <R extends PagedRoute, Row>(
  route: R,
  input: InputOf<R>,
  rowsOf: (data: DataOf<R>) => ReadonlyArray<Row>
): Loaded<ReadonlyArray<Row>> =>
  useWork<ReadonlyArray<Row>>(callKey(route, input), async (signal, show) => {
    let rows: ReadonlyArray<Row> = []
    for await (const data of pagesOf(route, input, signal)) {
      rows = [...rows, ...rowsOf(data)]
      show(rows)
    }
    return rows
  })
