/** The number of rows of a list, counted on its first page only: each further page is another request. */
import { formatAmount } from "./Amount.tsx"

/** The maximum page size. */
export const maxCounted = 100

/** `12`, or `100 and more`. */
export const countOf = (rows: ReadonlyArray<unknown>, next_cursor: string | null): string =>
  `${formatAmount(rows.length)}${next_cursor === null ? "" : " and more"}`
