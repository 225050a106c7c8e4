/** Paginated lists: one page with a hint to the next, or all pages as one. */
import { Effect } from "effect"
import { say } from "../Output.ts"
import { given } from "./ManagementApi.ts"

/** Which part of a list. */
export interface PageOptions {
  readonly limit: number | undefined
  readonly cursor: string | undefined
  /** All pages from the cursor on, instead of one. */
  readonly all: boolean
}

/** The API's maximum page size. */
export const maxPageSize = 100

interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

/** The response of one page, or the first one with the items of all following pages and no next cursor. */
export const fetchPages = <Name extends string, Item, Page extends Readonly<Record<Name, ReadonlyArray<Item>>>, E>(
  name: Name,
  { all, cursor, limit }: PageOptions,
  fetch: (query: PageQuery) => Effect.Effect<Page & { readonly next_cursor: string | null }, E>
): Effect.Effect<Page & { readonly next_cursor: string | null }, E> =>
  Effect.gen(function* () {
    const first = yield* fetch(given({ limit: limit ?? (all ? maxPageSize : undefined), cursor }))
    if (!all || first.next_cursor === null) return first
    const items: Array<Item> = [...first[name]]
    let next: string | null = first.next_cursor
    while (next !== null) {
      const page: Page & { readonly next_cursor: string | null } = yield* fetch({
        limit: limit ?? maxPageSize,
        cursor: next
      })
      for (const item of page[name]) items.push(item)
      next = page.next_cursor
    }
    return { ...first, [name]: items, next_cursor: null }
  })

/** Prints how to get the next page, if there is one. */
export const printNextPageHint = (next_cursor: string | null): void => {
  if (next_cursor !== null) say(`more with --cursor ${next_cursor}, or everything with --all`)
}
