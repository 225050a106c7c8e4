import { Clock, Effect } from "effect"

const day_ms = 86_400_000
/** Longer than a test takes on a busy machine. */
const margin_ms = 60_000

/** That of the machine, also where a test has one that stands still. */
const clock = Effect.runSync(Clock.Clock)

/** What a test counts by days must all lie in one: shortly before midnight in UTC it waits for the next day. */
export const inOneDay = Effect.suspend(() => {
  const left_ms = day_ms - (Date.now() % day_ms)
  return left_ms < margin_ms ? Effect.provideService(Effect.sleep(left_ms + 1), Clock.Clock, clock) : Effect.void
})
