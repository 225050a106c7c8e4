/** A request with what stands under its path, and its decoded query: all that is known before any check. */
import { Exit } from "effect"
import { type Document, isDocument } from "../documents/Documents.ts"
import { originOf } from "../input/RequestOrigin.ts"
import type { QueueName } from "../load/LoadControl.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"
import type { GatewayError } from "./ErrorTable.ts"
import type { Route } from "./Route.ts"
import type { Match } from "./Router.ts"

/** What stands under a path: an endpoint of the contract, or a document. */
export type Target = Route | Document

/** A request with what is known of it before any check. */
export interface Exchange {
  readonly request: HttpRequest
  readonly request_id: string
  /** When it came in, by `performance.now()`. */
  readonly started_ms: number
  /** What stands under the path; undefined if nothing does. */
  readonly match: Match<Target> | undefined
  /** What stands under path and method; HEAD counts as GET. */
  readonly target: Target | undefined
  /** The decoded query of a route, or what is wrong with it; that is answered once the checks before it have passed. */
  readonly query: Exit.Exit<unknown, GatewayError>
}

/** The exchange of a request. A path has no parameters but ids, so it needs no decoding. */
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

/** What stands under path and method. */
export const targetOf = (match: Match<Target> | undefined, method: string): Target | undefined =>
  match?.methods.get(method === "HEAD" ? "GET" : method)

/** Path and query of a request's target, without the `?`. */
export const splitTarget = (target: string): readonly [path: string, query: string] => {
  const question = target.indexOf("?")
  return question === -1 ? [target, ""] : [target.slice(0, question), target.slice(question + 1)]
}

const noQuery = Exit.succeed(undefined)

/** Preflights and health checks do not count against a limit, and are not refused by one. */
export const isFree = ({ request, target }: Exchange): boolean =>
  request.method === "OPTIONS" || (isRoute(target) && target.unlimited)

/** The queue of a request; undefined if it is never refused. */
export const queueOf = ({ query, request, target }: Exchange): QueueName | undefined => {
  if (!isRoute(target)) return "free"
  if (target.unlimited) return undefined
  if (target.access === "manager") return "management"
  if (target.access === "visitor") return "sign_in"
  // A session was paid for.
  if (target.access === "session") return "paid"
  if (!target.metered || Exit.isFailure(query)) return "free"
  // The ledger records what is sent under an idempotency key, even if it is free.
  return target.isFree(query.value) && request.header("idempotency-key") === undefined ? "free" : "paid"
}

/**
 * The web origin of the page that sent a request; undefined for a preflight, which the browser itself sends, and if it
 * comes from no browser. The management API goes by what the browser itself says, `Origin`, and never by what a page says
 * of itself: sessions and passkeys are those of the page that asks. See `ManagerCredential`.
 */
export const originFor = ({ request, target }: Exchange): string | undefined => {
  if (request.method === "OPTIONS") return undefined
  const isManagement = isRoute(target) && (target.access === "manager" || target.access === "visitor")
  return isManagement ? request.header("origin") : originOf(request)
}

export const isRoute = (target: Target | undefined): target is Route => target !== undefined && !isDocument(target)
