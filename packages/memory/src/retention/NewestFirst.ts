/**
 * Pages through what is kept in the order of its arrival, from the newest back or from the oldest on. A cursor names the
 * last item of its page, so pages neither repeat nor skip anything when new items arrive in between.
 */
import type { InvalidParameter } from "@postcode/core/Errors"
import { notACursor, type Page, type PageRequest } from "@postcode/core/Page"
import { Effect } from "effect"

/**
 * One page of a list whose items keep their indices.
 *
 * @param itemAt the item at an index from 0, the oldest; undefined for one that the list leaves out
 * @param first below this index there is nothing any more
 */
export const newestFirst = <A>(
  length: number,
  itemAt: (index: number) => A | undefined,
  { cursor, limit }: PageRequest,
  first = 0
): Effect.Effect<Page<A>, InvalidParameter> => {
  const end = cursor === undefined ? length : indexOf(cursor)
  if (!(end <= length)) return Effect.fail(notACursor)
  const items: Array<A> = []
  let last = end
  for (let index = end - 1; index >= first; index--) {
    const item = itemAt(index)
    if (item === undefined) continue
    if (items.length === limit) return Effect.succeed({ items, next_cursor: cursorOf(last) })
    items.push(item)
    last = index
  }
  return Effect.succeed({ items, next_cursor: null })
}

/** The same, but from the oldest on. A cursor is for the order in which it was given. */
const oldestFirst = <A>(
  length: number,
  itemAt: (index: number) => A | undefined,
  { cursor, limit }: PageRequest
): Effect.Effect<Page<A>, InvalidParameter> => {
  const begin = cursor === undefined ? 0 : indexAfter(cursor)
  if (!(begin <= length)) return Effect.fail(notACursor)
  const items: Array<A> = []
  let next = begin
  for (let index = begin; index < length; index++) {
    const item = itemAt(index)
    if (item === undefined) continue
    if (items.length === limit) return Effect.succeed({ items, next_cursor: `after-${next}` })
    items.push(item)
    next = index + 1
  }
  return Effect.succeed({ items, next_cursor: null })
}

/** In the order that is asked for. */
export const inAskedOrder = <A>(
  length: number,
  itemAt: (index: number) => A | undefined,
  page: PageRequest
): Effect.Effect<Page<A>, InvalidParameter> =>
  page.order === "oldest" ? oldestFirst(length, itemAt, page) : newestFirst(length, itemAt, page)

/** A cursor for what lies before an index. */
export const cursorOf = (index: number): string => `before-${index}`

/** NaN if the text is no cursor. */
export const indexOf = (cursor: string): number =>
  /^before-[1-9][0-9]{0,14}$/.test(cursor) ? Number(cursor.slice("before-".length)) : Number.NaN

const indexAfter = (cursor: string): number =>
  /^after-[1-9][0-9]{0,14}$/.test(cursor) ? Number(cursor.slice("after-".length)) : Number.NaN
