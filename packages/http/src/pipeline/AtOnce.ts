/**
 * Most requests wait for nothing: whatever they ask for is there as soon as it is asked, as an `Exit`, which is an effect
 * that is over. Such a request is gone on with at once, all the way to its answer, and takes no fiber, whose steps would
 * cost more than what they do. `Effect.mapEager` and `flatMapEager` do so; what they lack is here.
 */
import { Effect, Exit } from "effect"

/** The outcome of an effect that is over; undefined if it is not. */
export const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined

/** Goes on with the outcome of an effect, whatever it is, and at once if it is over. What `start` throws is one, too. */
export const exitAtOnce = <A, E, B>(
  start: () => Effect.Effect<A, E>,
  next: (exit: Exit.Exit<A, E>) => Effect.Effect<B>
): Effect.Effect<B> => {
  const started = startOf(start)
  const exit = exitOf(started)
  return exit === undefined ? Effect.flatMap(Effect.exit(started), next) : next(exit)
}

const startOf = <A, E>(start: () => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  try {
    return start()
  } catch (defect) {
    return Exit.die(defect)
  }
}
