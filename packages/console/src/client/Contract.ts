/**
 * The contract of the service as types: what each call takes and answers. Only types are taken from it: at run time there
 * is nothing of it in the console.
 */
import type { Api } from "@postcode/api"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

type Endpoint = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? HttpApiGroup.Endpoints<Groups> : never

/** Each call by its method and path, as the documentation writes it: `GET /v1/admin/organizations/:id`. */
export type Route = RouteOf<Endpoint>

/** Calls that change nothing, and can so be repeated. */
export type ReadRoute = Extract<Route, `GET ${string}`>

type RouteOf<E> = E extends { readonly method: infer M extends string; readonly path: infer P extends string }
  ? `${M} ${P}`
  : never

type EndpointOf<R extends Route, E = Endpoint> = E extends E ? (RouteOf<E> extends R ? E : never) : never

/** What a call takes: `params` of its path, its `query`, its `body`; each where it has one. */
export type InputOf<R extends Route> = Part<"params", HttpApiEndpoint.Params<EndpointOf<R>>> &
  Part<"query", HttpApiEndpoint.Query<EndpointOf<R>>> &
  Part<"body", HttpApiEndpoint.Payload<EndpointOf<R>>>

type Part<Name extends string, S> = [S] extends [never]
  ? { readonly [N in Name]?: undefined }
  : S extends { readonly Type: infer A }
    ? Partial<A> extends A
      ? { readonly [N in Name]?: A }
      : { readonly [N in Name]: A }
    : never

/** What a success of a call holds in `data`. */
export type DataOf<R extends Route> =
  HttpApiEndpoint.Success<EndpointOf<R>> extends { readonly Type: { readonly data: infer A } } ? A : never
