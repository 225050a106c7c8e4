import type { PageOrder, PageRequest } from "@postcode/gateway/Page"

/** The default length of a list. */
export const defaultLimit = 20

/** The page that a query selects. */
export const pageRequest = (query: {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly order?: PageOrder | undefined
}): PageRequest => ({
  limit: query.limit ?? defaultLimit,
  cursor: query.cursor,
  ...(query.order !== undefined && { order: query.order })
})
