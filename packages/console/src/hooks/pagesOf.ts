import type { DataOf, InputOf } from "../client/Contract.ts"
import { call } from "../state/session.ts"
import type { PagedRoute } from "./usePages.ts"

/**
 * All pages of a list in order, each of maximum size.
 *
 * @param input without `cursor` and `limit`
 * @throws Problem, or the signal's reason
 */
export async function* pagesOf<R extends PagedRoute>(
  route: R,
  input: InputOf<R>,
  signal: AbortSignal
): AsyncGenerator<DataOf<R>> {
  const { query } = input as { readonly query?: object }
  let cursor: string | null | undefined
  do {
    const page = { ...input, query: { ...query, limit: 100, ...(cursor && { cursor }) } } as InputOf<R>
    const data = await call(route, page, signal)
    yield data
    cursor = (data as { readonly next_cursor: string | null }).next_cursor
  } while (cursor !== null)
}
