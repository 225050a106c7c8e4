/** Data of a screen, cached by TanStack Query. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import type { InputOf, ReadRoute } from "../../../../../packages/console/src/client/Contract.ts"
import { send } from "../../../../../packages/console/src/client/send.ts"

export const useCall = <R extends ReadRoute>(route: R, input: InputOf<R>) => useQuery(callOptions(route, input))

/** The query options, for prefetching. */
export const callOptions = <R extends ReadRoute>(route: R, input: InputOf<R>) =>
  queryOptions({ queryKey: [route, input], queryFn: ({ signal }) => send(route, input, signal) })
