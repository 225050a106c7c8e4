/** Reads the number and the age of the reviews that wait for an operator every minute, for monitoring. */
import { AccessRequests } from "@postcode/gateway/organizations/AccessRequests"
import { Clock, Effect, type Scope } from "effect"
import type { ProcessMetrics } from "./ProcessMetrics.ts"

/** While the store is unavailable, the last values stay. */
export const watchReviews = ({
  oldestReview,
  reviews
}: ProcessMetrics): Effect.Effect<void, never, AccessRequests | Scope.Scope> =>
  Effect.gen(function* () {
    const { waiting } = yield* AccessRequests
    const look = Effect.gen(function* () {
      const { count, oldest_at } = yield* waiting()
      const now_ms = yield* Clock.currentTimeMillis
      reviews.value = count
      oldestReview.value = oldest_at === undefined ? 0 : Math.max(0, now_ms - Date.parse(oldest_at)) / 1_000
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.ignore(look), Effect.sleep(interval_ms))))
  })

const interval_ms = 60_000
