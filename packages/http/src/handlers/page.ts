import type { PageOrder, PageRequest } from "@postcode/core/Page"

/** How many items a list holds if the caller does not say. */
export const defaultLimit = 20

/** The page that a query asks for. */
export const pageRequest = (query: {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly order?: PageOrder | undefined
}): PageRequest => ({
  limit: query.limit ?? defaultLimit,
  cursor: query.cursor,
  ...(query.order !== undefined && { order: query.order })
})
