/**
 * Most requests wait for nothing: every step returns an `Exit`, which is an effect that has ended. Such a request is
 * answered synchronously and takes no fiber, which would cost more than the steps. These functions complement
 * `Effect.mapEager` and `flatMapEager`, which continue only after a success.
 */
import { Effect, Exit } from "effect"

/** The outcome of an effect that has ended; undefined if it has not. */
export const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined

/** Continues with any outcome of an effect, synchronously if it has ended. What `start` throws is a defect. */
export const flatMapExitEager = <A, E, B>(
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
