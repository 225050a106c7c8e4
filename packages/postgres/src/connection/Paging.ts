/**
 * Pages through a table from the newest row back, or from the oldest on. Each row has a `number`, which rises in the
 * order of creation, and a cursor names the number of the last row of its page: pages neither repeat nor skip anything
 * when rows arrive in between, and the database steps into its index where the page begins.
 *
 * ```ts
 * const before = yield* numberBefore(page)
 * const rows = yield* sql`SELECT … WHERE number < ${before} ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
 * return pageOf(rows, page, toItem)
 * ```
 */
import type { InvalidParameter } from "@postcode/core/Errors"
import { notACursor, type Page, type PageOrder, type PageRequest } from "@postcode/core/Page"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** The number that those of a page are below; fails for a cursor that none of these pages gave. */
export const numberBefore = ({ cursor }: PageRequest): Effect.Effect<bigint, InvalidParameter> =>
  numberIn(cursor, prefixes.newest, aboveAll)

/** What makes the rows of a list those of a page in the order that is asked for, and how they are sorted. */
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

/** How many rows to ask for: one more than the page holds, which tells whether another page follows. */
export const rowsOfPage = ({ limit }: PageRequest): number => limit + 1

/** A page of the rows that were found, in their order. */
export const pageOf = <Row extends { readonly number: bigint }, A>(
  rows: ReadonlyArray<Row>,
  { limit, order = "newest" }: PageRequest,
  toItem: (row: Row) => A
): Page<A> => {
  const items = rows.slice(0, limit).map(toItem)
  const last = rows[limit - 1]
  return { items, next_cursor: rows.length > limit && last !== undefined ? `${prefixes[order]}${last.number}` : null }
}

/** The largest bigint of the database. */
export const aboveAll = 2n ** 63n - 1n
const belowAll = 0n

/** A cursor is for the order in which it was given. */
const prefixes: Readonly<Record<PageOrder, string>> = { newest: "before-", oldest: "after-" }

const numberIn = (
  cursor: string | undefined,
  prefix: string,
  without: bigint
): Effect.Effect<bigint, InvalidParameter> => {
  if (cursor === undefined) return Effect.succeed(without)
  const digits = cursor.slice(prefix.length)
  const number = cursor.startsWith(prefix) && numberForm.test(digits) ? BigInt(digits) : undefined
  return number === undefined || number > aboveAll ? Effect.fail(notACursor) : Effect.succeed(number)
}

const numberForm = /^[1-9][0-9]{0,18}$/
