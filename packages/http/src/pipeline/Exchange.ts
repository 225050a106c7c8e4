/** A request with the target of its path and its decoded query, before any check. */
import { Exit } from "effect"
import { type Document, isDocument, type LazyDocument } from "../documents/Documents.ts"
import { originOf } from "../input/RequestOrigin.ts"
import type { QueueName } from "../load/LoadControl.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"
import type { Invalid, Route } from "./Route.ts"
import type { Match } from "./Router.ts"

/** The target of a path: an endpoint of the contract, or a document. */
export type Target = Route | Document | LazyDocument

export interface Exchange {
  readonly request: HttpRequest
  readonly request_id: string
  /** The arrival time, by `performance.now()`. */
  readonly started_ms: number
  /** The targets of the path; undefined for an unknown path. */
  readonly match: Match<Target> | undefined
  /** The target of path and method. HEAD counts as GET. */
  readonly target: Target | undefined
  /** The decoded query of a route, or its error, which is explained after the earlier checks have passed. */
  readonly query: Exit.Exit<unknown, Invalid>
}

/** The exchange of a request. Path parameters are always ids, so the path needs no decoding. */
export const makeExchange = (
  request: HttpRequest,
  request_id: string,
  find: (path: string) => Match<Target> | undefined
): Exchange => {
  const [path, query] = splitTarget(request.target)
  const match = find(path)
  const target = targetOf(match, request.method)
  return {
    request,
    request_id,
    started_ms: request.received_ms ?? performance.now(),
    match,
    target,
    query: isRoute(target) ? target.readQuery(query) : noQuery
  }
}

/** The target of path and method. HEAD counts as GET. */
export const targetOf = (match: Match<Target> | undefined, method: string): Target | undefined =>
  match?.methods.get(method === "HEAD" ? "GET" : method)

/** Path and query of a request's target, without the `?`. */
export const splitTarget = (target: string): readonly [path: string, query: string] => {
  const queryStart = target.indexOf("?")
  return queryStart === -1 ? [target, ""] : [target.slice(0, queryStart), target.slice(queryStart + 1)]
}

const noQuery = Exit.succeed(undefined)

/** Preflights and health checks do not count against a rate limit. */
export const isFree = ({ request, target }: Exchange): boolean =>
  request.method === "OPTIONS" || (isRoute(target) && target.unlimited)

/** The queue of a request; undefined if load control never refuses it. */
export const queueOf = ({ query, request, target }: Exchange): QueueName | undefined => {
  if (!isRoute(target)) return "free"
  if (target.unlimited) return undefined
  if (target.access === "manager") return "management"
  if (target.access === "visitor") return "sign_in"
  // Sessions are charged when they start.
  if (target.access === "session") return "paid"
  if (!target.metered || Exit.isFailure(query)) return "free"
  // The ledger records what is sent under an idempotency key, even if it is free.
  const hasKey = request.header("x-api-key") !== undefined
  return target.isFree(query.value, hasKey) && request.header("idempotency-key") === undefined ? "free" : "paid"
}

/**
 * The web origin of the page that sent a request; undefined without a browser, and for a preflight, which names no key.
 * The management API uses `Origin` only, which the browser sets. It ignores `X-Embedding-Origin`, which a page sets:
 * console sessions and passkeys belong to the origin of the page. See `ManagerCredential`.
 */
export const originFor = ({ request, target }: Exchange): string | undefined => {
  if (request.method === "OPTIONS") return undefined
  const isManagement = isRoute(target) && (target.access === "manager" || target.access === "visitor")
  return isManagement ? request.header("origin") : originOf(request)
}

export const isRoute = (target: Target | undefined): target is Route => target !== undefined && !isDocument(target)
