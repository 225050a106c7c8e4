/** The guarantees of every list of a store. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { InvalidParameter } from "../Errors.ts"
import { type Page, type PageOrder, type PageRequest, pageOrders } from "../Page.ts"
import { failsWith } from "./Failures.ts"

/** The first page; a short list is complete in it. */
export const wholeList: PageRequest = { limit: 100, cursor: undefined }

/** A list with at least four items that the test created. */
export interface ListUnderTest<A, E> {
  readonly list: (page: PageRequest) => Effect.Effect<Page<A>, E | InvalidParameter>
  readonly idOf: (item: A) => string
  /** The ids of the test's items in order of creation. */
  readonly ids: ReadonlyArray<string>
  /** Newest first by default. */
  readonly order?: PageOrder
  /** Whether only this test adds to the list. */
  readonly isPrivate: boolean
  /** Adds an item. */
  readonly add: Effect.Effect<unknown, E>
}

/** Checks order, page sizes and cursors, and that items added during paging do not disturb it. */
export const checkPaging = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }>(
  under: ListUnderTest<A, E>
) {
  const { order = "newest" } = under
  const expected = order === "oldest" ? under.ids : [...under.ids].reverse()
  const own = new Set(under.ids)
  const ownOf = (pages: ReadonlyArray<Page<A>>): ReadonlyArray<string> =>
    pages.flatMap(({ items }) => items.map(under.idOf)).filter((id) => own.has(id))

  assert.isAtLeast(under.ids.length, 4)
  for (const limit of [1, 3, under.ids.length, 100]) {
    const pages = yield* readPages(under.list, limit)
    assert.deepStrictEqual(ownOf(pages), expected, `in pages of ${limit}`)
    if (under.isPrivate) assert.strictEqual(pages.length, Math.ceil(under.ids.length / limit))
  }

  const first = yield* under.list({ limit: 2, cursor: undefined })
  yield* under.add
  const rest = first.next_cursor === null ? [] : yield* readPages(under.list, 3, first.next_cursor)
  assert.deepStrictEqual(ownOf([first, ...rest]), expected, "with an item that arrives between two pages")

  for (const cursor of ["", "no cursor", "-", "%00", "LA-12-A03-BG-07", "x".repeat(65)]) {
    const error = yield* failsWith(under.list({ limit: 2, cursor }), "InvalidParameter")
    assert.strictEqual((error as InvalidParameter).parameter, "cursor")
  }
})

/** Checks a list in both orders and in the default order, newest first. */
export const checkPagingInBothOrders = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }>(
  under: ListUnderTest<A, E>
) {
  const list = (order: PageOrder) => (page: PageRequest) => under.list({ ...page, order })
  yield* checkPaging(under)
  for (const order of pageOrders) {
    // The item was added by the check above.
    yield* checkPaging({ ...under, order, list: list(order), isPrivate: false, add: Effect.void })
  }
  const [newest, oldest] = [yield* list("newest")(onlyOne), yield* list("oldest")(onlyOne)]
  yield* failsWith(list("newest")({ limit: 1, cursor: oldest.next_cursor ?? "" }), "InvalidParameter")
  yield* failsWith(list("oldest")({ limit: 1, cursor: newest.next_cursor ?? "" }), "InvalidParameter")
})

const onlyOne = { limit: 1, cursor: undefined }

/** All pages of a list, starting at a cursor. */
export const readPages = Effect.fnUntraced(function* <A, E>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E>,
  limit: number,
  from?: string
) {
  const pages: Array<Page<A>> = []
  let cursor = from
  do {
    const page: Page<A> = yield* list({ limit, cursor })
    assert.isAtMost(page.items.length, limit)
    if (page.next_cursor !== null) {
      assert.match(page.next_cursor, /^[A-Za-z0-9_-]{1,64}$/)
      assert.strictEqual(page.items.length, limit, "a page is full unless it is the last")
    }
    pages.push(page)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return pages
})

/** All items of a list. */
export const readAll = <A, E>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E>
): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.map(readPages(list, 100), (pages) => pages.flatMap(({ items }) => items))
