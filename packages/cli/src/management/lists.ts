/** Paginated lists: one page with a hint to the next, or all pages as one. */
import type { DataOf, InputOf, ItemOf, ListRoute } from "@postcode/client"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { printTable, type RowsText } from "../terminal/Print.ts"
import { type Call, type ConnectionOptions, connect, foreignAnswer, type ManagementOptions } from "./connect.ts"

/** Which part of a list. */
interface PageOptions {
  readonly limit: number | undefined
  readonly cursor: string | undefined
  /** All pages from the cursor on, instead of one. */
  readonly all: boolean
}

/** The input of commands that list. */
export interface Paged {
  readonly page: PageOptions
}

/** A list of the API: whom to call, and the call without its page. */
export interface List<R extends ListRoute> {
  readonly options: ConnectionOptions
  readonly call: Call
  readonly route: R
  readonly input: InputOf<R>
}

/** A response, and the items in it. */
export interface Page<R extends ListRoute> {
  readonly data: DataOf<R>
  readonly items: ReadonlyArray<ItemOf<R>>
}

/** Prints a page, or the whole list. */
export const printList = <R extends ListRoute>(
  options: ManagementOptions,
  route: R,
  input: InputOf<R>,
  page: PageOptions,
  text: RowsText<ItemOf<R>>
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data, items } = yield* fetchList({ options, call: yield* connect(options), route, input }, page)
    yield* printTable(options, data, items, text)
    if (!options.json) printNextPageHint(data)
  })

/** Prints how to get the next page, if there is one. */
export const printNextPageHint = ({ next_cursor }: DataOf<ListRoute>): void => {
  if (next_cursor !== null) say(`more with --cursor ${next_cursor}, or everything with --all`)
}

/** The response of one page, or the first one with the items of all following pages and no next cursor. */
export const fetchList = <R extends ListRoute>(
  list: List<R>,
  page: PageOptions
): Effect.Effect<Page<R>, CommandFailure> =>
  Effect.gen(function* () {
    const pages: Array<Page<R>> = []
    yield* eachPage(list, page, (next) => Effect.sync(() => pages.push(next)))
    const [first] = pages as [Page<R>]
    if (pages.length === 1) return first
    const items = pages.flatMap((one) => one.items)
    const name = Object.entries(first.data).find(([, value]) => value === first.items)?.[0] ?? ""
    return { data: { ...first.data, [name]: items, next_cursor: null }, items }
  })

/** The API's maximum page size. */
const maxPageSize = 100

/** Fetches a page, or one page after the other. */
export const eachPage = <R extends ListRoute>(
  { call, input, options, route }: List<R>,
  { all, cursor, limit = all ? maxPageSize : undefined }: PageOptions,
  onPage: (page: Page<R>) => Effect.Effect<unknown, CommandFailure>
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    let next: string | null | undefined = cursor
    do {
      const query: object = { ...input.query, limit, cursor: next }
      const data: DataOf<R> = yield* call(route, { ...input, query })
      // A page has one array: its items.
      const items = Object.values(data).find((value) => Array.isArray(value))
      if (items === undefined) return yield* Effect.fail(new CommandFailure(foreignAnswer(options.url)))
      yield* onPage({ data, items })
      next = data.next_cursor
    } while (all && typeof next === "string")
  })
