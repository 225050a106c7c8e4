/**
 * Holds the generated types against the contract's own, call for call: what the generator gets wrong does not compile.
 * Nothing here runs.
 */
import type { Api, ErrorStatus, errorCodes } from "@postcode/api"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Contract, ErrorCodes } from "../src/Contract.ts"
import type { DataOf, ListRoute, MeteredRoute } from "../src/Route.ts"
import type { meteredRoutes } from "../src/retries.ts"

type Endpoint = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? HttpApiGroup.Endpoints<Groups> : never

type RouteOf<E> = E extends { readonly method: infer M extends string; readonly path: infer P extends string }
  ? `${M} ${P}`
  : never

type EndpointOf<R, E = Endpoint> = E extends E ? (RouteOf<E> extends R ? E : never) : never

/** What the contract says of a call, in the shape of the generated types. */
type Said<E extends HttpApiEndpoint.Constraint> = Part<"params", Sent<HttpApiEndpoint.Params<E>>> &
  Part<"query", Asked<HttpApiEndpoint.Query<E>>> &
  Part<"body", Sent<HttpApiEndpoint.Payload<E>>> & {
    readonly data: Sent<HttpApiEndpoint.Success<E>> extends { readonly data: infer A } ? A : never
    readonly errors: Sent<HttpApiEndpoint.Error<E>> extends { readonly error: { readonly code: infer C } } ? C : never
  }

type Part<Name extends string, A> = [A] extends [never] ? unknown : { readonly [N in Name]: A }

/** As it travels. An endpoint holds its schemas within those that write JSON. */
type Sent<S> = S extends { readonly schema: { readonly Encoded: infer A } } ? A : never

/** Numbers and booleans in a query are given as such, though they travel as text. */
type Asked<S> = S extends { readonly schema: { readonly Type: infer Given; readonly Encoded: infer Encoded } }
  ? {
      [K in keyof Encoded]: K extends keyof Given
        ? Given[K] extends boolean | number | undefined
          ? Given[K]
          : Encoded[K]
        : never
    }
  : never

/** The same without intersections: those of parts here, and those that effect makes of fields. */
type Plain<A> = A extends object ? { [K in keyof A]: Plain<A[K]> } : A

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

type Expect<T extends true> = T

type Differing = {
  [R in keyof Contract]: Equal<Plain<Omit<Contract[R], "metered">>, Plain<Said<EndpointOf<R>>>> extends true ? never : R
}[keyof Contract]

/** The lists whose pages have another number of arrays than the one that holds their items. */
type Ambiguous = {
  [R in ListRoute]: Equal<keyof ArraysOf<DataOf<R>>, SoleKeyOf<ArraysOf<DataOf<R>>>> extends true ? never : R
}[ListRoute]

type ArraysOf<A> = { [K in keyof A as A[K] extends ReadonlyArray<unknown> ? K : never]: A[K] }

type SoleKeyOf<A, K extends keyof A = keyof A> = K extends K ? ([keyof A] extends [K] ? K : never) : never

export type Held = readonly [
  // Libraries for OAuth make these calls.
  Expect<Equal<keyof Contract, Exclude<RouteOf<Endpoint>, `POST /v1/oauth/${string}` | `GET /.well-known/${string}`>>>,
  Expect<Equal<Differing, never>>,
  Expect<Equal<ErrorCodes, { readonly [S in ErrorStatus]: (typeof errorCodes)[S][number] }>>,
  Expect<Equal<(typeof meteredRoutes)[number], MeteredRoute>>,
  Expect<Equal<Ambiguous, never>>
]
