/** Counts a request under a rate limit; fails if the limit is reached. */
import { Effect } from "effect"
import { RateLimitExceeded } from "../Errors.ts"
import type { RateLimiter, RateSubject } from "./RateLimiter.ts"

/** @param limit requests per minute */
export const takeFromLimit = (
  limiter: RateLimiter["Service"],
  subject: RateSubject,
  limit: number
): Effect.Effect<void, RateLimitExceeded> =>
  Effect.flatMap(limiter.take(subject, limit, 1), ({ allowed, retry_after_s }) =>
    allowed ? Effect.void : Effect.fail(new RateLimitExceeded({ retry_after_s }))
  )
