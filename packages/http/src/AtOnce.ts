/**
 * Most requests wait for nothing: what they ask for is there as soon as it is asked. Then it is gone on with at once,
 * without the detour of one more step for a fiber.
 */
import { Effect, Exit } from "effect"

/** `Effect.map`, but at once where the outcome is there already. What `change` throws then, is thrown here. */
export const mapAtOnce = <A, B, E>(effect: Effect.Effect<A, E>, change: (value: A) => B): Effect.Effect<B, E> => {
  const exit = exitOf(effect)
  return exit === undefined ? Effect.map(effect, change) : Exit.map(exit, change)
}

/** Goes on with the outcome of an effect, at once where it is there already. What `start` throws is an outcome, too. */
export const exitAtOnce = <A, E, B>(
  start: () => Effect.Effect<A, E>,
  next: (exit: Exit.Exit<A, E>) => Effect.Effect<B>
): Effect.Effect<B> => {
  const started = startOf(start)
  const exit = exitOf(started)
  return exit === undefined ? Effect.flatMap(Effect.exit(started), next) : next(exit)
}

const exitOf = <A, E>(effect: Effect.Effect<A, E>): Exit.Exit<A, E> | undefined =>
  Exit.isExit(effect) ? (effect as Exit.Exit<A, E>) : undefined

const startOf = <A, E>(start: () => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  try {
    return start()
  } catch (defect) {
    return Exit.die(defect)
  }
}
