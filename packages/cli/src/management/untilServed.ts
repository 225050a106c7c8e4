/** Repeats a call that the service cannot serve now. */
import { isPostcodeError, type PostcodeError } from "@postcode/client"
import { messageOf } from "@postcode/server/process/ExitCode"
import { Clock, Effect, Result } from "effect"

/** Reports why a call is repeated. */
export type OnWait = (reason: string) => void

/**
 * Waits for `Retry-After`, or a second, with a backoff that never is below a second. A service that limits requests is
 * waited for without end; one that is unavailable, for a minute. Only for idempotent calls: one without a response may
 * have taken effect.
 *
 * @param call a single attempt
 * @param onWait called before each pause
 */
export const untilServed = <A>(call: Effect.Effect<A, unknown>, onWait: OnWait): Effect.Effect<A, unknown> =>
  Effect.gen(function* () {
    let lastAvailable_ms = yield* now_ms
    for (let attempt = 1; ; attempt++) {
      const result = yield* Effect.result(call)
      if (Result.isSuccess(result)) return result.success
      const error = result.failure
      const reason = isPostcodeError(error) ? obstacles[error.status] : undefined
      if (reason === undefined) return yield* Effect.fail(error)
      const { retry_after_s = Math.min(attempt, 5), status } = error as PostcodeError
      const isAvailable = status === 429
      if (!isAvailable && (yield* now_ms) > lastAvailable_ms + outageTimeout_ms) return yield* Effect.fail(error)
      // A daily limit ends at midnight: the service says which limit it is, and when that is.
      onWait(isAvailable && retry_after_s > longWait_s ? messageOf(error) : reason)
      yield* Effect.sleep(`${Math.max(1, retry_after_s)} seconds`)
      if (isAvailable) lastAvailable_ms = yield* now_ms
    }
  })

const outageTimeout_ms = 60_000

/** Limits of requests are over after a minute. */
const longWait_s = 60

const now_ms = Effect.map(Clock.currentTimeNanos, (now_ns) => Number(now_ns / 1_000_000n))

const unavailable = "the service is not available for now"

/** By status. Without a response it is 0; proxies return 502 and 504 if no replica responds. */
const obstacles: Readonly<Record<number, string>> = {
  0: "the service cannot be reached",
  429: "the service takes no more requests for now",
  502: unavailable,
  503: unavailable,
  504: unavailable
}
