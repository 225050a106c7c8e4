/** Retry rules. A call that costs or changes something must not be executed twice. */
import type { PostcodeError } from "./PostcodeError.ts"
import type { MeteredRoute, Route } from "./Route.ts"

/** Calls that take an `Idempotency-Key`; all others ignore it. */
export const meteredRoutes = [
  "GET /v1/search/address",
  "POST /v1/search/address/batch",
  "GET /v1/directory/changes",
  "GET /v1/lookup",
  "POST /v1/lookup/batch",
  "POST /v1/widget/session"
] as const satisfies ReadonlyArray<MeteredRoute>

/** POST calls that are idempotent: they only read, or recognize a repetition by its reference. */
const idempotentPosts: ReadonlyArray<Route> = [
  "POST /v1/assembly/assemble",
  "POST /v1/search/reverse/batch",
  "POST /v1/admin/end-users/find",
  "POST /v1/admin/organizations/:id/credits",
  "POST /v1/admin/directory/changes"
]

export const isMetered = (route: Route): boolean => meteredRoutes.some((metered) => metered === route)

/** Whether a call may cost credits: single lookups do from level 2 on, and changes of the directory with coordinates. */
export const isCharged = (route: Route, query: Readonly<Record<string, unknown>> | undefined): boolean => {
  if (route === "GET /v1/lookup") return (query?.level ?? 1) !== 1
  return route === "GET /v1/directory/changes" ? query?.coordinates === true : isMetered(route)
}

/** Whether a call is idempotent. */
export const isIdempotent = (route: Route, idempotencyKey: string | undefined): boolean =>
  /^(GET|PUT|DELETE) /.test(route) || idempotencyKey !== undefined || idempotentPosts.includes(route)

/**
 * Whether to retry a failed attempt. A request that got 429 was not executed. Any other may have been: its response can
 * be lost, and a 503 can mean an unconfirmed commit.
 */
export const canRetry = ({ code, status }: PostcodeError, repeatable: boolean): boolean =>
  status === 429 || (repeatable && (code === "network_error" || (status >= 502 && status <= 504)))

const baseDelay_ms = 250
const maxDelay_ms = 8_000

/**
 * The delay before the next attempt: `Retry-After` plus random jitter, whose limit doubles with each attempt, so that
 * clients that failed together do not retry together.
 *
 * @param attempts the number of attempts so far
 */
export const retryDelay_ms = (attempts: number, retry_after_s = 0): number =>
  retry_after_s * 1000 + Math.random() * Math.min(baseDelay_ms * 2 ** (attempts - 1), maxDelay_ms)
