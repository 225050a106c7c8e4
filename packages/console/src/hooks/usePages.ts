/** A list of the service, page by page. */
import { useState } from "preact/hooks"
import type { DataOf, InputOf, ReadRoute } from "../client/Contract.ts"
import { callKey, type Loaded, useLoad } from "./useLoad.ts"

/** Calls that return a page and the cursor of the next one. */
export type PagedRoute = {
  [R in ReadRoute]: DataOf<R> extends { readonly next_cursor: string | null } ? R : never
}[ReadRoute]

/** A page, and the functions to show its neighbours; undefined if there is none. */
export interface Pages<A> extends Loaded<A> {
  /** The page number, from 1. */
  readonly page: number
  readonly onNext: (() => void) | undefined
  readonly onPrevious: (() => void) | undefined
}

/** @param input without `cursor`; another input starts at its first page */
export const usePages = <R extends PagedRoute>(route: R, input: InputOf<R>): Pages<DataOf<R>> => {
  const key = callKey(route, input)
  const [place, setPlace] = useState<Place>({ key, cursors: [] })
  const cursors = place.key === key ? place.cursors : []
  const cursor = cursors.at(-1)
  const { query } = input as { readonly query?: object }
  const loaded = useLoad(route, {
    ...input,
    query: { ...query, ...(cursor !== undefined && { cursor }) }
  } as InputOf<R>)
  const next = (loaded.data as { readonly next_cursor: string | null } | undefined)?.next_cursor
  return {
    ...loaded,
    page: cursors.length + 1,
    onNext: typeof next === "string" ? () => setPlace({ key, cursors: [...cursors, next] }) : undefined,
    onPrevious: cursors.length > 0 ? () => setPlace({ key, cursors: cursors.slice(0, -1) }) : undefined
  }
}

interface Place {
  readonly key: string
  /** Cursors of the previous pages and of this one; the first page has none. */
  readonly cursors: ReadonlyArray<string>
}
