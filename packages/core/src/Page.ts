/** One page of a list, newest first unless asked otherwise. */
import { InvalidParameter } from "./Errors.ts"

/** In which order of their arrival a list holds its items. */
export const pageOrders = ["newest", "oldest"] as const

/** Which end of a list comes first. */
export type PageOrder = (typeof pageOrders)[number]

/**
 * Which page: at most `limit` items after `cursor`, a `next_cursor` that an earlier page in the same order gave. Lists
 * that do not say that they take an order are newest first.
 */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | undefined
  readonly order?: PageOrder
}

/** A part of a list, in its order. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Where the next page begins; null at the end. Opaque. */
  readonly next_cursor: string | null
}

/** What a list answers that can hold nothing. */
export const emptyPage: Page<never> = { items: [], next_cursor: null }

/** What a list fails with for a cursor that it did not give, or gave in another order. */
export const notACursor = new InvalidParameter({
  parameter: "cursor",
  message: "cursor: expected a next_cursor as an earlier page gave it"
})
