/**
 * Pages of a table, newest or oldest first. Each row has a `number`, which increases in order of creation, and a cursor
 * contains the number of the last row of its page. So new rows cause neither repetitions nor gaps, and the database
 * finds the start of a page by its index.
 *
 * ```ts
 * const before = yield* numberBefore(page)
 * const rows = yield* sql`SELECT … WHERE number < ${before} ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
 * return pageOf(rows, page, toItem)
 * ```
 */
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { notACursor, type Page, type PageOrder, type PageRequest } from "@postcode/gateway/Page"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** The exclusive upper bound of the numbers on a page, newest first; fails for an invalid cursor. */
export const numberBefore = ({ cursor }: PageRequest): Effect.Effect<bigint, InvalidParameter> =>
  numberIn(cursor, prefixes.newest, aboveAll)

/** The condition and the sorting of a page in the requested order. */
export const inAskedOrder = (sql: SqlClient, { cursor, order }: PageRequest) =>
  order === "oldest"
    ? Effect.map(numberIn(cursor, prefixes.oldest, belowAll), (number) => ({
        condition: sql`number > ${number}`,
        sorted: sql`ORDER BY number`
      }))
    : Effect.map(numberIn(cursor, prefixes.newest, aboveAll), (number) => ({
        condition: sql`number < ${number}`,
        sorted: sql`ORDER BY number DESC`
      }))

/** The number of rows to query: one more than the page has, to find out whether another page follows. */
export const rowsOfPage = ({ limit }: PageRequest): number => limit + 1

/** The page of the rows found. */
export const pageOf = <Row extends { readonly number: bigint }, A>(
  rows: ReadonlyArray<Row>,
  { limit, order = "newest" }: PageRequest,
  toItem: (row: Row) => A
): Page<A> => {
  const items = rows.slice(0, limit).map(toItem)
  const last = rows[limit - 1]
  return { items, next_cursor: rows.length > limit && last !== undefined ? `${prefixes[order]}${last.number}` : null }
}

/** The maximum of PostgreSQL's `bigint`. */
export const aboveAll = 2n ** 63n - 1n
const belowAll = 0n

/** A cursor is valid only in the order that it was returned in. */
const prefixes: Readonly<Record<PageOrder, string>> = { newest: "before-", oldest: "after-" }

const numberIn = (
  cursor: string | undefined,
  prefix: string,
  start: bigint
): Effect.Effect<bigint, InvalidParameter> => {
  if (cursor === undefined) return Effect.succeed(start)
  const digits = cursor.slice(prefix.length)
  const number = cursor.startsWith(prefix) && numberForm.test(digits) ? BigInt(digits) : undefined
  return number === undefined || number > aboveAll ? Effect.fail(notACursor) : Effect.succeed(number)
}

const numberForm = /^[1-9][0-9]{0,18}$/
