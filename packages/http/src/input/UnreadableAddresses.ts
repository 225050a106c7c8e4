/** Reports trusted proxies whose `X-Forwarded-For` has an entry that is not an address. */
import { Clock, Effect } from "effect"

/**
 * Logs at most one of the calls in an hour. The entry is not logged: it may be what identifies a client.
 *
 * The returned function takes the address of the proxy, which counts as the client.
 */
export const reportUnreadable: Effect.Effect<(proxy: string) => void> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const run = Effect.runForkWith(yield* Effect.context<never>())
  let next_ms = Number.NEGATIVE_INFINITY
  return (proxy) => {
    const now_ms = clock.currentTimeMillisUnsafe()
    if (now_ms < next_ms) return
    next_ms = now_ms + hour_ms
    run(Effect.logWarning(explain(proxy)))
  }
})

const hour_ms = 3_600_000

const explain = (proxy: string): string =>
  `X-Forwarded-For of the trusted proxy ${proxy} has an entry that is not an address. Its clients share the rate limit ` +
  `of ${proxy}, and that address is compared with allowed_ips. Expected an IP address, with or without a port: ` +
  "192.0.2.1, 192.0.2.1:4711, 2001:db8::1, [2001:db8::1]:4711. This is logged at most once an hour"
