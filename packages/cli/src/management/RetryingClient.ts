/**
 * Retries requests that the service cannot serve now. Only for idempotent requests: one without a response may have
 * taken effect.
 */
import { Clock, Effect, Result } from "effect"
import { HttpClient, type HttpClientError, type HttpClientResponse } from "effect/http"

/** Reports why requests are retried. */
export type OnWait = (reason: string) => void

/**
 * Waits for `Retry-After` of a 429 or 503, or a second, with a backoff that never is below a second. A service that
 * limits requests is retried without end; one that is unavailable, for a minute.
 *
 * @param onWait called before each pause
 */
export const retrying = (onWait: OnWait) => (client: HttpClient.HttpClient) =>
  HttpClient.transform(client, (sent) =>
    Effect.gen(function* () {
      let lastAvailable_ms = yield* now_ms
      for (let attempt = 0; ; attempt++) {
        const result = yield* Effect.result(sent)
        const obstacle = obstacleOf(result)
        if (obstacle === undefined) return yield* Effect.fromResult(result)
        const { isAvailable, reason, wait_s = Math.min(1 + attempt, 5) } = obstacle
        if (!isAvailable && (yield* now_ms) > lastAvailable_ms + outageTimeout_ms)
          return yield* Effect.fromResult(result)
        onWait(reason)
        yield* Effect.sleep(`${Math.max(1, wait_s)} seconds`)
        if (isAvailable) lastAvailable_ms = yield* now_ms
      }
    })
  )

const outageTimeout_ms = 60_000

const now_ms = Effect.map(Clock.currentTimeNanos, (now_ns) => Number(now_ns / 1_000_000n))

interface Obstacle {
  /** Whether the service is available and only limits requests. */
  readonly isAvailable: boolean
  readonly reason: string
  readonly wait_s: number | undefined
}

type Sent = Result.Result<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

const obstacleOf = (result: Sent): Obstacle | undefined => {
  if (Result.isFailure(result)) {
    const isLost = result.failure.reason._tag === "TransportError"
    return isLost ? { isAvailable: false, reason: "the service cannot be reached", wait_s: undefined } : undefined
  }
  const { headers, status } = result.success
  const wait_s = /^\d{1,4}$/.test(headers["retry-after"] ?? "") ? Number(headers["retry-after"]) : undefined
  if (status === 429) return { isAvailable: true, reason: "the service takes no more requests for now", wait_s }
  // Proxies return 502 and 504 if no replica responds.
  if (![502, 503, 504].includes(status)) return undefined
  return { isAvailable: false, reason: "the service is not available for now", wait_s }
}
