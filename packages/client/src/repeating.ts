/** Which calls may be sent again, and when. What costs or changes something must not happen twice. */
import type { PostcodeError } from "./PostcodeError.ts"
import type { MeteredRoute, Route } from "./Route.ts"

/** Calls that take an `Idempotency-Key`; all others ignore one. */
export const meteredRoutes = [
  "GET /v1/lookup",
  "POST /v1/lookup/batch",
  "POST /v1/widget/session"
] as const satisfies ReadonlyArray<MeteredRoute>

/** What is posted and yet the same if it is done twice: it only reads, or knows a repetition by its reference. */
const repeatablePosts: ReadonlyArray<Route> = [
  "POST /v1/assembly/assemble",
  "POST /v1/admin/end-users/find",
  "POST /v1/admin/organizations/:id/credits"
]

export const isMetered = (route: Route): boolean => meteredRoutes.some((metered) => metered === route)

/** Whether a call may cost something: single lookups do from level 2 on. */
export const isCharged = (route: Route, query: Readonly<Record<string, unknown>> | undefined): boolean =>
  isMetered(route) && (route !== "GET /v1/lookup" || (query?.level ?? 1) !== 1)

/** Whether a call may be done twice, with the same effect as once. */
export const isRepeatable = (route: Route, idempotencyKey: string | undefined): boolean =>
  /^(GET|PUT|DELETE) /.test(route) || idempotencyKey !== undefined || repeatablePosts.includes(route)

/**
 * Whether a failed attempt may be followed by another one. After 429 nothing was done. Otherwise it is not known: a
 * request whose answer was lost may have been served, and a 503 may stand for a commit that nobody was told of.
 */
export const mayRepeat = ({ code, status }: PostcodeError, repeatable: boolean): boolean =>
  status === 429 || (repeatable && (code === "network_error" || (status >= 502 && status <= 504)))

const first_ms = 250
const highest_ms = 8_000

/**
 * How long to wait before the next attempt: what the service asks for, and by chance some time more, from attempt to
 * attempt up to twice as much, so that those who failed at the same moment do not come back at the same moment.
 *
 * @param attempts those that were made
 */
export const waitBefore_ms = (attempts: number, retry_after_s = 0): number =>
  retry_after_s * 1000 + Math.random() * Math.min(first_ms * 2 ** (attempts - 1), highest_ms)
