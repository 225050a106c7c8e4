/**
 * Pages of a list in order of creation, newest or oldest first. A cursor names the last item of its page, so new items
 * cause neither repetitions nor gaps.
 */
import type { InvalidParameter } from "@postcode/gateway/Errors"
import { notACursor, type Page, type PageRequest } from "@postcode/gateway/Page"
import { Effect } from "effect"

/**
 * One page of a list whose items keep their indices.
 *
 * @param itemAt the item at an index from 0, the oldest; undefined for an omitted item
 * @param first index of the oldest item
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

/** The same, oldest first. A cursor is valid only in the order that it was returned in. */
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

/** In the requested order. */
export const inRequestedOrder = <A>(
  length: number,
  itemAt: (index: number) => A | undefined,
  page: PageRequest
): Effect.Effect<Page<A>, InvalidParameter> =>
  page.order === "oldest" ? oldestFirst(length, itemAt, page) : newestFirst(length, itemAt, page)

/** The cursor for items before an index. */
export const cursorOf = (index: number): string => `before-${index}`

/** NaN for an invalid cursor. */
export const indexOf = (cursor: string): number =>
  /^before-[1-9][0-9]{0,14}$/.test(cursor) ? Number(cursor.slice("before-".length)) : Number.NaN

const indexAfter = (cursor: string): number =>
  /^after-[1-9][0-9]{0,14}$/.test(cursor) ? Number(cursor.slice("after-".length)) : Number.NaN
