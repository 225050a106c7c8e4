/** Each command loads what it needs when it runs: `parse` must not wait for the whole service to be read from disk. */
import { Effect } from "effect"

/** Loads a module and runs what it offers. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  run: (module: M) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Effect.promise(load), run)
