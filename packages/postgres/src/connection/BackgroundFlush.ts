/** Brings what is gathered in memory to the database: every now and then, and once more at the end. */
import type { Unavailable } from "@postcode/core/Errors"
import { Effect, type Scope } from "effect"

/** What is brought, and how often. */
export interface BackgroundFlushOptions {
  /** What is brought, as in "3 selections were not stored": `selections`. */
  readonly name: string
  /** The time between two flushes, in milliseconds. */
  readonly every_ms: number
  /** Brings all that is there, and keeps what it cannot bring. It may be interrupted, and is then repeated. */
  readonly flush: Effect.Effect<void, Unavailable>
  /** How much is there still. */
  readonly waiting: () => number
}

/**
 * Flushes for as long as the scope is open. While the database is away everything stays where it is. When the scope
 * closes, the rest is brought, or after `lastPatience_ms` given up, which is logged.
 */
export const flushInBackground = Effect.fnUntraced(function* ({
  every_ms,
  flush,
  name,
  waiting
}: BackgroundFlushOptions): Effect.fn.Return<void, never, Scope.Scope> {
  const attempt = attempting(name, flush)
  const untilBrought = Effect.whileLoop({
    while: () => waiting() > 0,
    body: () => Effect.flatMap(attempt, (succeeded) => (succeeded ? Effect.void : Effect.sleep(every_ms))),
    step: () => {}
  })
  const giveUp = Effect.suspend(() => Effect.logError(`${waiting()} ${name} were not stored: the database is away`))
  yield* Effect.addFinalizer(() =>
    Effect.interruptible(Effect.timeoutOrElse(untilBrought, { duration: lastPatience_ms, orElse: () => giveUp }))
  )
  // Behind the finalizer, so that it has ended when the finalizer runs.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(every_ms), attempt)))
})

/**
 * Answers whether work succeeded, so that a loop goes on whatever it failed with, a mistake as well. The first failure in
 * a row is logged, as "selections wait for the database".
 */
export const attempting = (name: string, work: Effect.Effect<void, unknown>): Effect.Effect<boolean> => {
  let failing = false
  return Effect.matchCauseEffect(work, {
    onSuccess: () => {
      failing = false
      return Effect.succeed(true)
    },
    onFailure: (cause) => {
      const isFirst = !failing
      failing = true
      return Effect.as(isFirst ? Effect.logWarning(`${name} wait for the database`, cause) : Effect.void, false)
    }
  })
}

/** How long the end of a program waits for a database that is away. */
const lastPatience_ms = 8_000
