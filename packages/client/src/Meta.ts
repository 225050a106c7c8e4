import type { AccessLevel } from "./Contract.ts"

/** What is known of an answer besides its payload, mostly from its headers. */
export interface Meta {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** What the service calls the request, for whoever looks for it in a log. Without an answer, the id that was sent. */
  readonly request_id: string | undefined
  /** How many requests it took. */
  readonly attempts: number
  /** The level that a lookup was served at. */
  readonly level: AccessLevel | undefined
  /**
   * What this answer cost, and the balance after it. 0 also where an earlier attempt was charged whose answer was lost.
   * Undefined for publishable keys, which are not told.
   */
  readonly credits: Credits | undefined
  readonly rate_limit: RateLimit | undefined
  /** Which version of the data answered, as its publisher calls it, and behind a `+` the number of changes since. */
  readonly data_version: string | undefined
  /** The day of that edition, YYYY-MM-DD. */
  readonly data_date: string | undefined
  /** All headers of the answer; none if there was no answer. */
  readonly headers: Headers
}

/** What an answer cost, and the balance after it, in credits. */
export interface Credits {
  readonly charged: number
  readonly remaining: number
}

/** The limit that the request counted against. */
export interface RateLimit {
  /** Requests in 60 seconds. */
  readonly limit: number
  /** How many more pass now. */
  readonly remaining: number
  /** Seconds until the limit is whole again. */
  readonly reset_s: number
}

/** @param sent the id that the request was sent with */
export const metaOf = (
  response: Pick<Response, "headers" | "status">,
  attempts: number,
  sent: string | undefined
): Meta => {
  const { headers, status } = response
  const number = (name: string) => numberIn(headers.get(name))
  const [charged, remaining] = [number("x-credits-charged"), number("x-credits-remaining")]
  const [limit, left, reset_s] = ["limit", "remaining", "reset"].map((name) => number(`x-ratelimit-${name}`))
  return {
    status,
    request_id: headers.get("x-request-id") ?? sent,
    attempts,
    level: number("x-lookup-level") as AccessLevel | undefined,
    credits: charged === undefined || remaining === undefined ? undefined : { charged, remaining },
    rate_limit:
      limit === undefined || left === undefined || reset_s === undefined
        ? undefined
        : { limit, remaining: left, reset_s },
    data_version: headers.get("x-data-version") ?? undefined,
    data_date: headers.get("x-data-date") ?? undefined,
    headers
  }
}

/** After how many seconds another attempt is welcome: proxies may name a moment in place of them. */
export const retryAfter_s = (headers: Headers): number | undefined => {
  const header = headers.get("retry-after")
  if (!header?.endsWith(" GMT")) return numberIn(header)
  const left_s = Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(left_s) ? undefined : Math.max(0, left_s)
}

const numberIn = (header: string | null): number | undefined =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined
