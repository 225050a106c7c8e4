/** How many rows a list has, as far as one page of it tells: counting further takes one request after the other. */
import { formatAmount } from "./Amount.tsx"

/** How many rows to ask for: the most that a page holds. */
export const mostCounted = 100

/** `12`, or `100 and more`. */
export const countOf = (rows: ReadonlyArray<unknown>, next_cursor: string | null): string =>
  `${formatAmount(rows.length)}${next_cursor === null ? "" : " and more"}`
