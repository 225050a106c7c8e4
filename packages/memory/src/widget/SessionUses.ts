/** Queries of widget sessions, counted in memory. */

import { SessionUses, useRetention_s } from "@postcode/gateway/widget/sessions/SessionUses"
import { Clock, Effect, Layer } from "effect"

/** Counts of sessions that have queried. Each session was paid, so they are few. Above this number, the oldest are dropped. */
const maxSessions = 100_000

interface Count {
  uses: number
  readonly end_ms: number
}

export const layerSessionUses: Layer.Layer<SessionUses> = Layer.effect(
  SessionUses,
  Effect.map(Clock.Clock, (clock) => {
    /** In the order of first use, which is that of their ends. */
    const counts = new Map<string, Count>()

    const forgetOldest = (now_ms: number): void => {
      for (const [name, { end_ms }] of counts) {
        if (end_ms > now_ms && counts.size < maxSessions) return
        counts.delete(name)
      }
    }

    return SessionUses.of({
      take: ({ id }, use, limit) =>
        Effect.sync(() => {
          const now_ms = clock.currentTimeMillisUnsafe()
          forgetOldest(now_ms)
          const name = `${use} ${id}`
          const count = counts.get(name) ?? { uses: 0, end_ms: now_ms + 1000 * useRetention_s }
          if (count.uses >= limit) return false
          count.uses++
          counts.set(name, count)
          return true
        })
    })
  })
)
