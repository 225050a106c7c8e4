/** What a call takes and gives, by its method and path. */
import type { Contract } from "./Contract.ts"

/** A call by its method and path, as the documentation writes it: `GET /v1/admin/organizations/:id`. */
export type Route = keyof Contract

/** What a call takes: `params` of its path, its `query`, its `body`; each where it has one. */
export type InputOf<R extends Route> = Part<R, "params"> & Part<R, "query"> & Part<R, "body">

/** What a success of a call holds in `data`. */
export type DataOf<R extends Route> = Contract[R]["data"]

/** Calls that may cost credits. Under an `Idempotency-Key` they can be repeated, and are charged once. */
export type MeteredRoute = {
  [R in Route]: Contract[R] extends { readonly metered: true } ? R : never
}[Route]

/** Calls that answer a list, page by page. */
export type ListRoute = { [R in Route]: DataOf<R> extends { readonly next_cursor: unknown } ? R : never }[Route]

/** What a list holds. */
export type ItemOf<R extends ListRoute> = {
  [K in keyof DataOf<R>]: DataOf<R>[K] extends ReadonlyArray<infer Item> ? Item : never
}[keyof DataOf<R>]

type Part<R extends Route, Name extends string> = Name extends keyof Contract[R]
  ? Record<never, never> extends Contract[R][Name]
    ? { readonly [N in Name]?: Loose<Contract[R][Name]> | undefined }
    : { readonly [N in Name]: Loose<Contract[R][Name]> }
  : { readonly [N in Name]?: undefined }

/** What may be left out may be undefined as well. */
type Loose<A> = { [K in keyof A]: Record<never, never> extends Pick<A, K> ? A[K] | undefined : A[K] }
