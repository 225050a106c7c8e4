/** What can be asked of the service, and how. */
import type { Answer } from "./Answer.ts"
import type { DataOf, InputOf, ItemOf, ListRoute, MeteredRoute, Route } from "./Route.ts"

/**
 * Calls to the service. A call gives its payload in `data`, and in `meta` what the headers tell: the request's id, what
 * was charged, what is left of the rate limit.
 *
 * All throw `PostcodeError` if there is no success, and the reason of the signal that ended them. Only mistakes of the
 * program are other errors, such as an id that is missing.
 */
export interface PostcodeClient {
  /** Completes a partial postcode, or a name. Free and public. */
  readonly autocomplete: (
    query?: QueryOf<"GET /v1/search/autocomplete">,
    options?: CallOptions
  ) => Answering<"GET /v1/search/autocomplete">
  /** The nearest active unit to a coordinate. Free and public. */
  readonly reverse: (
    query: QueryOf<"GET /v1/search/reverse">,
    options?: CallOptions
  ) => Answering<"GET /v1/search/reverse">
  /** The active units around a coordinate. Free and public. */
  readonly nearby: (
    query: QueryOf<"GET /v1/search/nearby">,
    options?: CallOptions
  ) => Answering<"GET /v1/search/nearby">
  /** Looks one postcode up. Level 1 is free and public; those above need a key, and cost credits, once for each call. */
  readonly lookup: (query: QueryOf<"GET /v1/lookup">, options?: MeteredOptions) => Answering<"GET /v1/lookup">
  /** Looks up to 100 postcodes up at one level, charged all or nothing, and once. */
  readonly lookupBatch: (
    body: BodyOf<"POST /v1/lookup/batch">,
    options?: MeteredOptions
  ) => Answering<"POST /v1/lookup/batch">
  /** Joins five segments into a postcode. Free and public. */
  readonly assemble: (
    body: BodyOf<"POST /v1/assembly/assemble">,
    options?: CallOptions
  ) => Answering<"POST /v1/assembly/assemble">
  /** Splits a postcode into its segments. Free and public. */
  readonly disassemble: (
    query: QueryOf<"GET /v1/assembly/disassemble">,
    options?: CallOptions
  ) => Answering<"GET /v1/assembly/disassemble">
  /** All states. Free, with any key. */
  readonly states: (options?: CallOptions) => Answering<"GET /v1/reference/states">
  /** The local government areas of a state. Free, with any key. */
  readonly lgas: (
    query: QueryOf<"GET /v1/reference/lgas">,
    options?: CallOptions
  ) => Answering<"GET /v1/reference/lgas">
  /** The districts of a local government area. Free, with any key. */
  readonly districts: (
    query: QueryOf<"GET /v1/reference/districts">,
    options?: CallOptions
  ) => Answering<"GET /v1/reference/districts">
  /** The areas of a district. Free, with any key. */
  readonly areas: (
    query: QueryOf<"GET /v1/reference/areas">,
    options?: CallOptions
  ) => Answering<"GET /v1/reference/areas">
  /** Starts a session for an end user. Needs a publishable key, and costs credits, once for each call. */
  readonly startSession: (
    body: BodyOf<"POST /v1/widget/session">,
    options?: MeteredOptions
  ) => Answering<"POST /v1/widget/session">
  /** The bookmarks of the session's end user. Needs the session's token. */
  readonly bookmarks: (options?: CallOptions) => Answering<"GET /v1/widget/bookmarks">
  /** Records what the session's end user picked. Needs the session's token. */
  readonly recordSelection: (
    body: BodyOf<"POST /v1/widget/selected">,
    options?: CallOptions
  ) => Answering<"POST /v1/widget/selected">
  /** Any call by its method and path, as the documentation writes it. */
  readonly request: <R extends Route>(route: R, ...rest: Arguments<R>) => Answering<R>
  /**
   * The items of a list, over all its pages. Each page is asked for when the one before is used up, and none any more
   * once the loop is left. `limit` is the items of a page: 100 unless told.
   */
  readonly items: <R extends ListRoute>(route: R, ...rest: Arguments<R>) => AsyncGenerator<ItemOf<R>, void, undefined>
}

/** What any call may be told. */
export interface CallOptions {
  /** Ends the call at once, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How many attempts may follow the first one; as the client was told, unless told. */
  readonly retries?: number | undefined
  /** How long the call may take with all its attempts; as the client was told, unless told. */
  readonly timeout_ms?: number | undefined
  /** What the service is to call the request: 1 to 64 of `A–Z a–z 0–9 . _ : -`. */
  readonly requestId?: string | undefined
}

/** What a call may be told that can cost credits. */
export interface MeteredOptions extends CallOptions {
  /**
   * Calls under the same one are charged once in 24 hours: 1 to 128 printable ASCII characters. One is made for each call
   * unless given. Give one to go on with a call later, such as after `timeout` or a crash.
   */
  readonly idempotencyKey?: string | undefined
}

/** What the call of an endpoint may be told. */
export type OptionsOf<R extends Route> = R extends MeteredRoute ? MeteredOptions : CallOptions

/** What follows a route: nothing, where nothing is needed. */
export type Arguments<R extends Route> =
  Record<never, never> extends InputOf<R>
    ? [input?: InputOf<R>, options?: OptionsOf<R>]
    : [input: InputOf<R>, options?: OptionsOf<R>]

type Answering<R extends Route> = Promise<Answer<DataOf<R>>>
type QueryOf<R extends Route> = InputOf<R> extends { readonly query?: infer A } ? Exclude<A, undefined> : never
type BodyOf<R extends Route> = InputOf<R> extends { readonly body?: infer A } ? Exclude<A, undefined> : never
