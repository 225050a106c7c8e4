/** Pages of lists. A cursor names the last row of its page, so that pages neither repeat nor skip when rows are added. */
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { notACursor, type Page, type PageRequest } from "@postcode/gateway/Page"
import { Exit } from "effect"
import type { Database, Row } from "./Database.ts"

export interface Listed<A> {
  /** What stands between FROM and the end of WHERE; the table has the column `seq`. */
  readonly rows: string
  readonly parameters: ReadonlyArray<string>
  /** What a row holds; undefined for one that the list leaves out. */
  readonly itemOf: (row: Row) => A | undefined
}

/** For use within a step. */
export const readPage = <A>(
  database: Database["Service"],
  { itemOf, parameters, rows }: Listed<A>,
  { cursor, limit, order = "newest" }: PageRequest
): Exit.Exit<Page<A>, InvalidParameter> => {
  const { comparison, direction, first, word } = orders[order]
  const from = cursor === undefined ? first : placeOf(cursor, word)
  if (from === undefined) return Exit.fail(notACursor)
  const items: Array<A> = []
  let last = ""
  const sql = `SELECT * FROM ${rows} AND seq ${comparison} ? ORDER BY seq ${direction}`
  for (const row of database.iterate(sql, ...parameters, from)) {
    const item = itemOf(row)
    if (item === undefined) continue
    if (items.length === limit) return Exit.succeed({ items, next_cursor: `${word}-${last}` })
    items.push(item)
    last = String(row.seq)
  }
  return Exit.succeed({ items, next_cursor: null })
}

const orders = {
  newest: { comparison: "<", direction: "DESC", first: Number.MAX_SAFE_INTEGER, word: "before" },
  oldest: { comparison: ">", direction: "ASC", first: 0, word: "after" }
} as const

const placeOf = (cursor: string, word: string): number | undefined => {
  const [, found, place] = /^(before|after)-([1-9][0-9]{0,14})$/.exec(cursor) ?? []
  return found === word ? Number(place) : undefined
}
