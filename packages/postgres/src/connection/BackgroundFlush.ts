/** Stores buffered data in the database periodically, and once more at the end. */
import type { Unavailable } from "@postcode/gateway/Errors"
import { Effect, type Scope } from "effect"

export interface BackgroundFlushOptions {
  /** The name of the data in logs, as in "3 selections were not stored": `selections`. */
  readonly name: string
  /** The time between two flushes, in milliseconds. */
  readonly every_ms: number
  /** Stores all buffered data, and keeps what it cannot store. It may be interrupted, and is then repeated. */
  readonly flush: Effect.Effect<void, Unavailable>
  /** The number of buffered items. */
  readonly waiting: () => number
}

/**
 * Flushes while the scope is open. While the database is unavailable, data stays in the buffer. When the scope closes,
 * the rest is stored, or discarded with a log message after `finalTimeout_ms`.
 */
export const flushInBackground = Effect.fnUntraced(function* ({
  every_ms,
  flush,
  name,
  waiting
}: BackgroundFlushOptions): Effect.fn.Return<void, never, Scope.Scope> {
  const attempt = attempting(name, flush)
  const flushAll = Effect.whileLoop({
    while: () => waiting() > 0,
    body: () => Effect.flatMap(attempt, (succeeded) => (succeeded ? Effect.void : Effect.sleep(every_ms))),
    step: () => {}
  })
  const reportLost = Effect.suspend(() =>
    Effect.logError(`${waiting()} ${name} were not stored: the database is unavailable`)
  )
  yield* Effect.addFinalizer(() =>
    Effect.interruptible(Effect.timeoutOrElse(flushAll, { duration: finalTimeout_ms, orElse: () => reportLost }))
  )
  // Forked after the finalizer is added, so that it has ended when the finalizer runs.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(every_ms), attempt)))
})

/**
 * Returns whether work succeeded, so that a loop continues after failures and defects. The first failure in a row is
 * logged, as "selections wait for the database".
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

/** How long a stopping program waits for an unavailable database. */
const finalTimeout_ms = 8_000
