import { Clock, Effect } from "effect"

const day_ms = 86_400_000
/** Longer than a test takes on a busy machine. */
const margin_ms = 60_000

/** The system clock, even if the test has a fixed one. */
const clock = Effect.runSync(Clock.Clock)

/** Keeps tests of daily counts within one day: shortly before midnight UTC it waits for the next day. */
export const inOneDay = Effect.suspend(() => {
  const left_ms = day_ms - (Date.now() % day_ms)
  return left_ms < margin_ms ? Effect.provideService(Effect.sleep(left_ms + 1), Clock.Clock, clock) : Effect.void
})
