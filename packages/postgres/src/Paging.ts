/**
 * Pages through a table from the newest row back. Each row has a `number`, which rises in the order of arrival, and a
 * cursor names the number of the last row of its page: pages neither repeat nor skip anything when rows arrive in
 * between, and the database steps into its index where the page begins.
 *
 * ```ts
 * const before = yield* numberBefore(page)
 * const rows = yield* sql`SELECT … WHERE number < ${before} ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
 * return pageOf(rows, page, toItem)
 * ```
 */
import { InvalidParameter } from "@postcode/core/Errors"
import type { Page, PageRequest } from "@postcode/core/Page"
import { Effect } from "effect"

/** The number that those of a page are below; fails for a cursor that none of these pages gave. */
export const numberBefore = ({ cursor }: PageRequest): Effect.Effect<bigint, InvalidParameter> => {
  if (cursor === undefined) return Effect.succeed(aboveAll)
  return cursorForm.test(cursor) ? Effect.succeed(BigInt(cursor.slice(prefix.length))) : Effect.fail(notACursor)
}

/** How many rows to ask for: one more than the page holds, which tells whether another page follows. */
export const rowsOfPage = ({ limit }: PageRequest): number => limit + 1

/** A page of the rows that were found, newest first. */
export const pageOf = <Row extends { readonly number: bigint }, A>(
  rows: ReadonlyArray<Row>,
  { limit }: PageRequest,
  toItem: (row: Row) => A
): Page<A> => {
  const items = rows.slice(0, limit).map(toItem)
  const last = rows[limit - 1]
  return { items, next_cursor: rows.length > limit && last !== undefined ? `${prefix}${last.number}` : null }
}

/** The largest bigint of the database. */
const aboveAll = 2n ** 63n - 1n

const prefix = "before-"

/** As many digits as surely fit. */
const cursorForm = /^before-[1-9][0-9]{0,17}$/

const notACursor = new InvalidParameter({
  parameter: "cursor",
  message: "cursor: expected a next_cursor as an earlier page gave it"
})
