import type { AccessLevel } from "./Contract.ts"

/** The metadata of a response, mostly from its headers. */
export interface Meta {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** The request id, to find the request in a log. Without a response, the id that was sent. */
  readonly request_id: string | undefined
  /** The number of requests sent. */
  readonly attempts: number
  /** The level of a lookup. */
  readonly level: AccessLevel | undefined
  /**
   * The cost of this response, and the balance after it. 0 also if an earlier attempt was charged whose response was
   * lost. Undefined for publishable keys.
   */
  readonly credits: Credits | undefined
  readonly rate_limit: RateLimit | undefined
  /** The version of the directory: the publisher's edition and, after a `+`, the number of changes since. */
  readonly data_version: string | undefined
  /** The date of that edition, YYYY-MM-DD. */
  readonly data_date: string | undefined
  /** All response headers; empty if there was no response. */
  readonly headers: Headers
}

/** The cost of a response, and the balance after it, in credits. */
export interface Credits {
  readonly charged: number
  readonly remaining: number
}

/** The rate limit that applied to the request. */
export interface RateLimit {
  /** Requests in 60 seconds. */
  readonly limit: number
  /** The requests left now. */
  readonly remaining: number
  /** Seconds until the limit is fully replenished. */
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

/** Seconds until the next attempt. Proxies may send a date instead. */
export const retryAfter_s = (headers: Headers): number | undefined => {
  const header = headers.get("retry-after")
  if (!header?.endsWith(" GMT")) return numberIn(header)
  const left_s = Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(left_s) ? undefined : Math.max(0, left_s)
}

const numberIn = (header: string | null): number | undefined =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined
