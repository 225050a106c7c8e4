/** One page of a list, newest first. */

/** Which page: at most `limit` items after `cursor`, a `next_cursor` that an earlier page gave. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | undefined
}

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Where the next page begins; null at the end. Opaque. */
  readonly next_cursor: string | null
}
