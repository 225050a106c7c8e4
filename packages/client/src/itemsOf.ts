import type { MeteredOptions } from "./PostcodeClient.ts"
import type { Route } from "./Route.ts"
import type { Parts, Send } from "./send.ts"

/** Maximum page size of the service. */
const limit = 100

/**
 * Iterates over the items of a list, page by page. A page has one array, and the next page's cursor in `next_cursor`,
 * so that no table of lists is needed.
 */
export const itemsOf = (send: Send) =>
  async function* (
    route: Route,
    input: Parts = {},
    options?: MeteredOptions
  ): AsyncGenerator<unknown, void, undefined> {
    let cursor = input.query?.cursor
    do {
      const { data } = await send(route, { ...input, query: { limit, ...input.query, cursor } }, options)
      const page = data as Readonly<Record<string, unknown>>
      yield* Object.values(page).find((value) => Array.isArray(value)) ?? []
      cursor = page.next_cursor
    } while (typeof cursor === "string")
  }
