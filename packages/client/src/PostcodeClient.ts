/** The calls of the client, and their options. */
import type { Answer } from "./Answer.ts"
import type { DataOf, InputOf, ItemOf, ListRoute, MeteredRoute, Route } from "./Route.ts"

/**
 * Calls to the service. A call returns its payload in `data`, and the headers in `meta`: the request id, the charge,
 * the rate limit.
 *
 * All throw `PostcodeError` if the call fails, and the signal's reason if it was aborted. Only mistakes of the program,
 * such as a missing id, are other errors.
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
  /** The nearest active units to up to 100 coordinates. Free, for secret keys; each point counts as one request. */
  readonly reverseBatch: (
    body: BodyOf<"POST /v1/search/reverse/batch">,
    options?: CallOptions
  ) => Answering<"POST /v1/search/reverse/batch">
  /** The active units around a coordinate. Free and public. */
  readonly nearby: (
    query: QueryOf<"GET /v1/search/nearby">,
    options?: CallOptions
  ) => Answering<"GET /v1/search/nearby">
  /** The postcode of an address as people write it. States and LGAs are free and public. */
  readonly findAddress: (
    query: QueryOf<"GET /v1/search/address">,
    options?: MeteredOptions
  ) => Answering<"GET /v1/search/address">
  /** The postcodes of up to 100 addresses. The batch is charged once, all or nothing; each text counts as one request. */
  readonly findAddressBatch: (
    body: BodyOf<"POST /v1/search/address/batch">,
    options?: MeteredOptions
  ) => Answering<"POST /v1/search/address/batch">
  /** Looks up one postcode. Level 1 is free and public; higher levels need a key and cost credits, once per call. */
  readonly lookup: (query: QueryOf<"GET /v1/lookup">, options?: MeteredOptions) => Answering<"GET /v1/lookup">
  /** Looks up to 100 postcodes at one level. The batch is charged once, all or nothing. */
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
  readonly directory: {
    /**
     * The changes of the directory since a version, oldest first. Free, with any key; coordinates need level 5 and cost
     * credits.
     */
    readonly changes: (
      query: QueryOf<"GET /v1/directory/changes">,
      options?: MeteredOptions
    ) => Answering<"GET /v1/directory/changes">
    /**
     * Follows the changes of the directory: pages of them, from a version on, and for as long as the loop runs. The
     * first page may be empty: then there is nothing new. While `version` is `latest`, the next page is requested after
     * a pause.
     *
     * Broken connections, 429 and answers that say to try again later are waited for. Ends when the signal is aborted.
     *
     * @throws PostcodeError for anything else, such as `version_expired`: then get a new snapshot and follow from there
     */
    readonly follow: (
      since: string,
      options?: FollowOptions
    ) => AsyncGenerator<Answer<DataOf<"GET /v1/directory/changes">>, void, undefined>
  }
  /** Starts a session for an end user. Needs a publishable key and costs credits, once per call. */
  readonly startSession: (
    body: BodyOf<"POST /v1/widget/session">,
    options?: MeteredOptions
  ) => Answering<"POST /v1/widget/session">
  /** The bookmarks of the session's end user. Needs the session's token. */
  readonly bookmarks: (options?: CallOptions) => Answering<"GET /v1/widget/bookmarks">
  /** Records the selection of the session's end user. Needs the session's token. */
  readonly recordSelection: (
    body: BodyOf<"POST /v1/widget/selected">,
    options?: CallOptions
  ) => Answering<"POST /v1/widget/selected">
  /** Any call by its method and path, as in the documentation. */
  readonly request: <R extends Route>(route: R, ...rest: Arguments<R>) => Answering<R>
  /**
   * The items of a list, over all its pages. The next page is requested when the previous one is consumed. `limit` is
   * the page size: 100 by default.
   */
  readonly items: <R extends ListRoute>(route: R, ...rest: Arguments<R>) => AsyncGenerator<ItemOf<R>, void, undefined>
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Maximum retries; the client's setting by default. */
  readonly retries?: number | undefined
  /** The timeout of the call with all its attempts; the client's setting by default. */
  readonly timeout_ms?: number | undefined
  /** The request id to send: 1 to 64 of `A–Z a–z 0–9 . _ : -`. */
  readonly requestId?: string | undefined
}

/** Options of calls that may cost credits. */
export interface MeteredOptions extends CallOptions {
  /**
   * Calls with the same key are charged once in 24 hours: 1 to 128 printable ASCII characters. By default each call
   * gets a new one. Set one to resume a call later, such as after `timeout` or a crash.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of `directory.follow`. */
export interface FollowOptions {
  /** Whether to get coordinates, which cost credits. */
  readonly coordinates?: boolean | undefined
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait when there is nothing new: 5,000 by default. */
  readonly pause_ms?: number | undefined
}

/** Options of an endpoint's call. */
export type OptionsOf<R extends Route> = R extends MeteredRoute ? MeteredOptions : CallOptions

/** The arguments after a route: none if nothing is required. */
export type Arguments<R extends Route> =
  Record<never, never> extends InputOf<R>
    ? [input?: InputOf<R>, options?: OptionsOf<R>]
    : [input: InputOf<R>, options?: OptionsOf<R>]

type Answering<R extends Route> = Promise<Answer<DataOf<R>>>
type QueryOf<R extends Route> = InputOf<R> extends { readonly query?: infer A } ? Exclude<A, undefined> : never
type BodyOf<R extends Route> = InputOf<R> extends { readonly body?: infer A } ? Exclude<A, undefined> : never
