/** A small client of the postcode gateway, for Node, browsers and edge runtimes. */
export type { Answer } from "./Answer.ts"
export type * from "./Contract.ts"
export type { Fetch } from "./call.ts"
export { createPostcodeClient } from "./createPostcodeClient.ts"
export type { Credits, Meta, RateLimit } from "./Meta.ts"
export type {
  Arguments,
  CallOptions,
  FollowOptions,
  MeteredOptions,
  OptionsOf,
  PostcodeClient
} from "./PostcodeClient.ts"
export { isPostcodeError, PostcodeError, type PostcodeErrorCode, type PostcodeErrorFields } from "./PostcodeError.ts"
export type { DataOf, InputOf, ItemOf, ListRoute, MeteredRoute, Route } from "./Route.ts"
export type { ClientOptions } from "./send.ts"
