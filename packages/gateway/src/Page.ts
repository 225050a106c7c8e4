/** One page of a list; newest first by default. */
import { InvalidParameter } from "./Errors.ts"

/** The orders of a list by creation. */
export const pageOrders = ["newest", "oldest"] as const

/** An order of a list by creation. */
export type PageOrder = (typeof pageOrders)[number]

/**
 * A page request: at most `limit` items after `cursor`, which is the `next_cursor` of an earlier page in the same
 * order. Lists without a documented order are newest first.
 */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | undefined
  readonly order?: PageOrder
}

/** A page of a list, in its order. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Cursor of the next page, 1 to 64 characters of `[A-Za-z0-9_-]`; null on the last page. All other pages are full. */
  readonly next_cursor: string | null
}

/** The page of an empty list. */
export const emptyPage: Page<never> = { items: [], next_cursor: null }

/** The error for a cursor that this list did not return, or returned in another order. */
export const notACursor = new InvalidParameter({
  parameter: "cursor",
  message: "cursor: expected the next_cursor of an earlier page"
})
