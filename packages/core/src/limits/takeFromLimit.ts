/** Count something under a rate limit, and fail where that is used up. */
import { Effect } from "effect"
import { RateLimitExceeded } from "../Errors.ts"
import type { RateLimiter, RateSubject } from "./RateLimiter.ts"

/** @param limit how many a minute the subject may have */
export const takeFromLimit = (
  limiter: RateLimiter["Service"],
  subject: RateSubject,
  limit: number
): Effect.Effect<void, RateLimitExceeded> =>
  Effect.flatMap(limiter.take(subject, limit, 1), ({ allowed, retry_after_s }) =>
    allowed ? Effect.void : Effect.fail(new RateLimitExceeded({ retry_after_s }))
  )
