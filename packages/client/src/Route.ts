/** Input and output types of a call, by its method and path. */
import type { Contract } from "./Contract.ts"

/** A call by its method and path, as in the documentation: `GET /v1/admin/organizations/:id`. */
export type Route = keyof Contract

/** The input of a call: `params` of its path, its `query` and its `body`, if it has them. */
export type InputOf<R extends Route> = Part<R, "params"> & Part<R, "query"> & Part<R, "body">

/** The `data` of a successful call. */
export type DataOf<R extends Route> = Contract[R]["data"]

/** Calls that may cost credits. With an `Idempotency-Key` they can be repeated and are charged once. */
export type MeteredRoute = {
  [R in Route]: Contract[R] extends { readonly metered: true } ? R : never
}[Route]

/** Calls that return a paginated list. */
export type ListRoute = { [R in Route]: DataOf<R> extends { readonly next_cursor: unknown } ? R : never }[Route]

/** The item type of a list. */
export type ItemOf<R extends ListRoute> = {
  [K in keyof DataOf<R>]: DataOf<R>[K] extends ReadonlyArray<infer Item> ? Item : never
}[keyof DataOf<R>]

type Part<R extends Route, Name extends string> = Name extends keyof Contract[R]
  ? Record<never, never> extends Contract[R][Name]
    ? { readonly [N in Name]?: Loose<Contract[R][Name]> | undefined }
    : { readonly [N in Name]: Loose<Contract[R][Name]> }
  : { readonly [N in Name]?: undefined }

/** Optional fields may also be undefined. */
type Loose<A> = { [K in keyof A]: Record<never, never> extends Pick<A, K> ? A[K] | undefined : A[K] }
